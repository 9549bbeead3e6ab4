class Safe {
  #code = 0;
  #tries = 0;
  constructor(code) { this.#code = code; }
  open(code) {
    if (this.#tries >= 2) return 'locked';
    if (code !== this.#code) {
      this.#tries++;
      return 'wrong';
    }
    return 'open';
  }
}
const safe = new Safe(42);
console.log(safe.open(1), safe.open(42), safe.open(2), safe.open(42));
