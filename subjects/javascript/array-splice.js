const track = ['intro', 'verse', 'verse', 'outro'];
const removed = track.splice(1, 2, 'chorus');
track.unshift('silence');
track.splice(-1, 0, 'bridge', 'chorus');
console.log(track.join('>'), removed.length);
