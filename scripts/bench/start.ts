// (d) How soon a server answers that is started a second time, what it holds while nobody is there, and what each further
// endpoint costs it: the clients of the providers are loaded when they are first used.
import { setTimeout as sleep } from 'node:timers/promises';
import { atMost, median, printFigures } from './figures.ts';
import { openParley } from './parley.ts';
import { residentOf } from './processes.ts';

const ROUNDS = 5;
const IDLE_MS = 5000;
const MB = 1024 * 1024;
// No question is asked, so nothing has to answer there.
const NOWHERE = 'http://127.0.0.1:9';

/** Every kind of endpoint beside OpenAI. */
const OTHERS = {
  AZURE_API_KEY: 'k',
  AZURE_OPENAI_API_VERSION: '2024-02-01',
  AZURE_OPENAI_BASEURL: NOWHERE,
  AZURE_USE_MODEL_AS_DEPLOYMENT_NAME: 'true',
  GOOGLE_KEY: 'k',
  ANTHROPIC_API_KEY: 'k',
  BINGAI_TOKEN: 'k',
  CHATGPT_TOKEN: 'k',
};
const OTHERS_COUNT = 6;
const CUSTOM = `version: 1.0.7
endpoints: { custom: [{ name: Mine, apiKey: k, baseURL: '${NOWHERE}', models: { default: [one] } }] }
`;

/** Prints the table; gives how many targets were missed. */
export async function benchStart(): Promise<number> {
  const one = await measure({});
  const all = await measure({ more: OTHERS, yaml: CUSTOM });
  const start = (all.start - one.start) / OTHERS_COUNT;
  const idle = (all.idle - one.idle) / OTHERS_COUNT;
  return printFigures('(d) start', [
    {
      name: 'second start to the first answered request',
      cells: { parley: `${one.start.toFixed(0)} ms` },
      target: atMost(one.start, 1000, ' ms'),
    },
    {
      name: 'idle memory of the node process after 5 s',
      cells: { parley: `${one.idle.toFixed(0)} MB` },
      target: atMost(one.idle, 130, ' MB'),
    },
    {
      name: `what one more provider costs at the start, of ${OTHERS_COUNT}`,
      cells: { parley: `${start.toFixed(1)} ms` },
      target: atMost(start, 20, ' ms'),
    },
    {
      name: `what one more provider costs while idle, of ${OTHERS_COUNT}`,
      cells: { parley: `${idle.toFixed(1)} MB` },
      target: atMost(idle, 2, ' MB'),
    },
  ]);
}

/** Milliseconds to the first answer, and megabytes after a rest; medians. */
async function measure(set: Parameters<typeof openParley>[1]): Promise<{ start: number; idle: number }> {
  const parley = await openParley(NOWHERE, set);
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
  return { start: median(starts), idle: median(resident) };
}
