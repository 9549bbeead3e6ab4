class HttpError extends Error {
  constructor(status) {
    super('status ' + status);
    this.status = status;
  }
}
async function fetchPage(url) {
  await Promise.resolve();
  if (url.includes('missing')) throw new HttpError(404);
  return '<' + url + '>';
}
async function load(url) {
  try {
    const page = await fetchPage(url);
    return page.length;
  } catch (error) {
    if (error instanceof HttpError && error.status === 404) return 0;
    throw error;
  }
}
(async () => {
  const sizes = await Promise.all(['home', 'missing'].map(load));
  console.log(sizes.join());
})();
