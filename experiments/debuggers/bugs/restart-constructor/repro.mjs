// The debugged process dies where a derived constructor was restarted before `super`. Run with Node 22 or newer: node repro.mjs [path of the node to debug]
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
const program = 'class A {}\nclass B extends A {\n  constructor() {\n    let x = 1;\n    super();\n  }\n}\nnew B();\n';
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
await call('Debugger.enable');
await go('runIfWaitingForDebugger', 'Runtime.');
await call('Debugger.setBreakpoint', { location: { scriptId: script, lineNumber: 3, columnNumber: 12 } });
const pause = await go('resume');
const again = new Promise((done) => { paused = done; });
await call('Debugger.restartFrame', { callFrameId: pause.callFrames[0].callFrameId, mode: 'StepInto' });
console.log('restarted, paused at', at(await again));
call('Debugger.resume');
