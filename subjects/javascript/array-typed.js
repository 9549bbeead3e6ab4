const samples = new Uint8Array(4);
for (let i = 0; i < samples.length; i++) {
  samples[i] = i * 100;
}
const view = new DataView(samples.buffer);
console.log(Array.from(samples).join(), view.getUint16(0), view.getUint16(2, true));
