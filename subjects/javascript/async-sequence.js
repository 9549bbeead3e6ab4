async function load(id) {
  await null;
  if (id > 2) {
    throw new Error('no item ' + id);
  }
  return 'item ' + id;
}

async function main() {
  const found = [];
  for (let id = 1; id <= 3; id++) {
    try {
      found.push(await load(id));
    } catch (error) {
      found.push(error.message);
    }
  }
  console.log(found.join('; '));
}

main();
