// A step out of a callback ends in a function that the next callback calls. Run with Node 22 or newer: node repro.mjs [path of the node to debug]
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
const program = 'function inner(x) {\n  return x + 1;\n}\nfunction call(f) {\n  f(1);\n  let y = 2;\n}\n[inner, inner].forEach(call);\nconsole.log(1);\n';
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
await set(6, 10), await go('resume');
const pause = await go('stepOut');
console.log('step out of call:', at(pause), 'in', pause.callFrames[0].functionName, '(expected line 9, or the next call at line 5)');
node.kill();
