const posts = [{ tags: ['js', 'web'] }, { tags: [] }, { tags: ['js'] }];
const tags = posts.flatMap(post => post.tags);
const nested = [1, [2, [3, [4]]]];
console.log(tags.join(), nested.flat().length, nested.flat(Infinity).join(''));
