// (d) How soon a server answers that is started a second time, and what it holds while nobody is there.
import { setTimeout as sleep } from 'node:timers/promises';
import { atMost, median, printFigures } from './figures.ts';
import { openParley } from './parley.ts';
import { residentOf } from './processes.ts';

const ROUNDS = 5;
const IDLE_MS = 5000;
const MB = 1024 * 1024;

/** Prints the table; gives how many targets were missed. */
export async function benchStart(): Promise<number> {
  // No question is asked, so nothing has to answer there.
  const parley = await openParley('http://127.0.0.1:9');
  const starts: number[] = [];
  const resident: number[] = [];
  try {
    for (let round = 0; round < ROUNDS; round++) {
      const server = await parley.restart();
      const ready = performance.now();
      await (await fetch(`${server.url}/api/config`)).text();
      starts.push(server.readyAfter + performance.now() - ready);
      await sleep(IDLE_MS);
      resident.push(residentOf(server.pid) / MB);
    }
  } finally {
    await parley.close();
  }
  const [start, idle] = [median(starts), median(resident)];
  return printFigures('(d) start', [
    {
      name: 'second start to the first answered request',
      cells: { parley: `${start.toFixed(0)} ms` },
      target: atMost(start, 1000, ' ms'),
    },
    {
      name: 'idle memory of the node process after 5 s',
      cells: { parley: `${idle.toFixed(0)} MB` },
      target: atMost(idle, 130, ' MB'),
    },
  ]);
}
