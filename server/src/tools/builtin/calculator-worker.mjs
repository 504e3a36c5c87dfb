// The process that calculates: an endless or a huge expression costs nothing but this process. Plain JavaScript, since
// it needs no loader then.
import process from 'node:process';
import { Worker } from 'node:worker_threads';
import { createMath } from './calculator-math.mjs';

// Ends this process even while it calculates, when the server that would end it is gone.
const watch = `const parent = process.ppid;
setInterval(() => process.ppid === parent || process.kill(process.pid, 'SIGKILL'), 1000)`;
new Worker(watch, { eval: true, execArgv: [] }).unref();

process.once('disconnect', () => process.exit());
let calculate = createMath();
process.on('message', (expression) => {
  process.send?.(calculate(String(expression)));
  // Nothing of one expression reaches the next: it may be another person's.
  calculate = createMath();
});
process.send?.({ type: 'ready' });
