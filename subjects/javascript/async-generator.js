async function* pages(count) {
  for (let page = 1; page <= count; page++) {
    await null;
    yield { page, items: ['a' + page, 'b' + page] };
  }
}

async function collect() {
  const all = [];
  for await (const { items } of pages(3)) {
    all.push(...items);
  }
  return all;
}

collect().then(all => console.log(all.join('-')));
