const log = [];
function inner() {
  try {
    null.property;
  } catch (error) {
    log.push('inner ' + error.name);
    throw error;
  } finally {
    log.push('inner finally');
  }
}
try {
  inner();
} catch (error) {
  log.push('outer ' + (error instanceof TypeError));
}
console.log(log.join(', '));
