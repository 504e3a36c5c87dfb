// (d) The time of a second server start, the memory of an idle server, and what further endpoints add: provider clients
// are loaded on first use.
import { setTimeout as sleep } from 'node:timers/promises';
import { atMost, median, printFigures } from './figures.ts';
import { openParley, type Parley } from './parley-server.ts';
import { residentBytes } from './process-usage.ts';

const ROUNDS = 5;
const IDLE_MS = 5000;
const MB = 1024 * 1024;
// Unused: no question is asked.
const NOWHERE = 'http://127.0.0.1:9';

/** Every endpoint type beside OpenAI, except custom ones: the yaml parser costs more than they do. */
const OTHERS = {
  AZURE_API_KEY: 'k',
  AZURE_OPENAI_API_VERSION: '2024-10-21',
  AZURE_OPENAI_BASEURL: NOWHERE,
  AZURE_USE_MODEL_AS_DEPLOYMENT_NAME: 'true',
  GOOGLE_KEY: 'k',
  ANTHROPIC_API_KEY: 'k',
  BINGAI_TOKEN: 'k',
  CHATGPT_TOKEN: 'k',
};
const OTHERS_COUNT = 5;

/** Prints the table and returns how many targets were missed. */
export async function benchStart(): Promise<number> {
  const [one, all] = await measure();
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

interface Figures {
  /** Milliseconds to the first answer. */
  start: number;
  /** Megabytes when idle. */
  idle: number;
}

/** Medians with OpenAI alone and with the other endpoints, measured alternately because a machine's speed changes. */
async function measure(): Promise<[Figures, Figures]> {
  const one = await openParley(NOWHERE);
  const all = await openParley(NOWHERE, OTHERS);
  const ofOne: Figures[] = [];
  const ofAll: Figures[] = [];
  try {
    for (let round = 0; round < ROUNDS; round++) {
      ofOne.push(await start(one));
      ofAll.push(await start(all));
    }
  } finally {
    await Promise.all([one.close(), all.close()]);
  }
  return [medians(ofOne), medians(ofAll)];
}

async function start(parley: Parley): Promise<Figures> {
  const server = await parley.restart();
  const ready = performance.now();
  await (await fetch(`${server.url}/api/config`)).text();
  const answeredAfter = server.readyAfter + performance.now() - ready;
  await sleep(IDLE_MS);
  return { start: answeredAfter, idle: residentBytes(server.pid) / MB };
}

function medians(figures: readonly Figures[]): Figures {
  return { start: median(figures.map((one) => one.start)), idle: median(figures.map((one) => one.idle)) };
}
