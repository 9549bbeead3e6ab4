var config = {};
Object.defineProperty(config, 'version', { value: 3, enumerable: true });
Object.defineProperty(config, 'secret', { value: 'x', enumerable: false });
config.version = 9;
console.log(config.version, Object.keys(config).join());
(function () {
  'use strict';
  try {
    config.version = 10;
  } catch (error) {
    console.log(error.name);
  }
})();
