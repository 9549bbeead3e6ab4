// The call stack shows a name that belongs to nothing. Run with Node 22 or newer: node repro.mjs [path of the node to debug]
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
const program = 'function once(fn) {\n  let done = false, result;\n  return function () {\n    result = fn.apply(this, arguments);\n  };\n  done = done;\n}\nconst init = once(n => { return "ready"; });\ninit(3);\n';
writeFileSync('/tmp/repro.js', program);
const node = spawn(process.argv[2] ?? process.execPath, ['--inspect-brk=127.0.0.1:0', '/tmp/repro.js']);
node.on('exit', (code, signal) => { console.log('the debugged node ended:', code, signal); process.exit(); });
const url = await new Promise((done) => node.stderr.on('data', (text) => { const m = /ws:\S+/.exec(text); if (m) done(m[0]); }));
const socket = new WebSocket(url), waiting = new Map();
let last = 0, script, paused;
await new Promise((done) => { socket.onopen = done; });
socket.onmessage = ({ data }) => {
  const m = JSON.parse(data);
  if (m.id) waiting.get(m.id)(m.result ?? m.error);
  if (m.method === 'Debugger.scriptParsed' && m.params.url.endsWith('repro.js')) script = m.params.scriptId;
  if (m.method === 'Debugger.paused') paused(m.params);
};
const call = (method, params = {}) => new Promise((done) => {
  waiting.set(++last, done); socket.send(JSON.stringify({ id: last, method, params }));
});
const go = (method, object = 'Debugger.') => new Promise((done) => { paused = done; call(object + method); });
const at = (pause) => `line ${pause.callFrames[0].location.lineNumber + 1}, column ${pause.callFrames[0].location.columnNumber}`;
const set = (line, column) => call('Debugger.setBreakpoint', { location: { scriptId: script, lineNumber: line - 1, columnNumber: column } });
await call('Debugger.enable');
await go('runIfWaitingForDebugger', 'Runtime.');
await set(8, 25);
const pause = await go('resume');
console.log('frames:', pause.callFrames.slice(0, 2).map((frame) => frame.functionName || '(anonymous)').join(' < '),
  '(expected two without a name)');
node.kill();
