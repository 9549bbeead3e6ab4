class Builder {
  constructor() { this.words = []; }
  get the() { this.words.push('the'); return this; }
  get quick() { this.words.push('quick'); return this; }
  get fox() { this.words.push('fox'); return this; }
  text() { return this.words.join(' '); }
}
console.log(new Builder().the.quick.fox.text());
