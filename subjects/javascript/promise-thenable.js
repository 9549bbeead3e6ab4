const thenable = {
  then(resolve, reject) {
    console.log('asked');
    resolve('from thenable');
  },
};
async function use() {
  const value = await thenable;
  return value.toUpperCase();
}
use().then(text => console.log(text));
