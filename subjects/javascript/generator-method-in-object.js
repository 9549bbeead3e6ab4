const library = {
  books: [{ title: 'A', pages: 10 }, { title: 'B', pages: 300 }],
  *long(limit = 100) {
    for (const book of this.books) {
      if (book.pages > limit) yield book.title;
    }
  },
};
console.log([...library.long()].join(), [...library.long(5)].length);
