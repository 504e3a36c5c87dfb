// (q) A soak: hours of modest load on one server, and whether anything grows. Parts of it add up in a file.
import { setMaxListeners } from 'node:events';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { registerAccount, signInAccount, type Account } from '../../api-client.ts';
import { createRandom } from '../../chaos/random.ts';
import { median, printFigures } from '../figures.ts';
import { openLightSocket, type LightSocket } from '../light-socket.ts';
import { growthFigures, rowFigures } from './growth.ts';
import { live } from './people.ts';
import { sumHours, readRows, saveRows, type Row } from './rows.ts';
import { openSite, type DatabaseReading, type Gauges, type Site } from './site.ts';
import { createTally, type Tally } from './tally.ts';

const PEOPLE = 20;
const IDLE_SOCKETS_EACH = 5;
const HOUR_MS = 3_600_000;
/** As often as Prometheus asks. */
const GAUGES_MS = 15_000;
/** In hours: parts of an hour or more have four rows an hour, shorter ones one a minute. */
const [LONG_ROW, SHORT_ROW] = [1 / 4, 1 / 60];

export interface Soak {
  /** Of all parts. */
  hours: number;
  /** Of this one, in hours. */
  part: number;
  /** Keeps the rows; the data of the server are beside it until all hours have run. */
  file: string;
}

/** Runs a part, unless all hours have run. Prints the tables and returns how many targets were missed. */
export async function benchSoak({ hours, part, file }: Soak): Promise<number> {
  const length = part >= 1 ? LONG_ROW : SHORT_ROW;
  const count = Math.round(Math.min(part, hours - sumHours(readRows(file))) / length);
  if (count > 0) await runPart(file, { length, count });
  const rows = readRows(file);
  const done = sumHours(rows);
  if (done >= hours - length / 2) rmSync(folderOf(file), { recursive: true, force: true });
  printFigures(`(q) soak: ${done.toFixed(2)} of ${hours} hours`, rowFigures(rows));
  return printFigures('growth after the first hour of each part', growthFigures(rows));
}

function folderOf(file: string): string {
  return `${file}.data`;
}

async function runPart(file: string, { length, count }: { length: number; count: number }): Promise<void> {
  const earlier = readRows(file);
  if (earlier.length === 0) rmSync(folderOf(file), { recursive: true, force: true });
  const isKnown = existsSync(folderOf(file));
  mkdirSync(folderOf(file), { recursive: true });
  const told = new AbortController();
  const stop = () => told.abort();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop);
  const site = await openSite(folderOf(file));
  const tally = createTally((line) => console.log(line));
  const part = (earlier.at(-1)?.part ?? 0) + 1;
  const crowd = await openCrowd(site.url, { isKnown, seed: `part ${part}`, tally });
  try {
    const rows = [...earlier];
    const began = Date.now();
    let before = await site.readDatabase();
    tally.take();
    for (let n = 1; n <= count; n++) {
      const gauges = await watch(site, began + n * length * HOUR_MS, told.signal);
      if (told.signal.aborted) break;
      const now = await site.readDatabase();
      rows.push({ part, hours: n * length, length, ...rowOf(gauges, before, now), ...tally.take() });
      saveRows(file, rows);
      before = now;
      console.log(`  row ${n} of ${count} measured`);
    }
  } finally {
    await crowd.leave();
    await site.close();
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, stop);
  }
}

/** Reads the gauges until then, in milliseconds since the epoch, or until told to stop. */
async function watch(site: Site, until: number, signal: AbortSignal): Promise<Gauges[]> {
  const gauges: Gauges[] = [];
  while (!signal.aborted && Date.now() < until) {
    await sleep(Math.max(0, Math.min(GAUGES_MS, until - Date.now())), undefined, { signal }).catch(() => undefined);
    gauges.push(await site.readGauges());
  }
  return gauges;
}

function rowOf(
  gauges: readonly Gauges[],
  before: DatabaseReading,
  now: DatabaseReading,
): Pick<Row, keyof Gauges | keyof DatabaseReading> {
  const middle = (name: keyof Gauges) => median(gauges.map((one) => one[name]));
  return {
    resident: middle('resident'),
    heap: Math.min(...gauges.map(({ heap }) => heap)),
    connections: middle('connections'),
    sockets: middle('sockets'),
    ...now,
    transactions: now.transactions - before.transactions,
  };
}

interface Crowd {
  /** Resolves when each has read the answer to the last question. */
  leave(): Promise<void>;
}

/** Of people who have been here before, or register. */
async function openCrowd(
  url: string,
  { isKnown, seed, tally }: { isKnown: boolean; seed: string; tally: Tally },
): Promise<Crowd> {
  const leaving = new AbortController();
  const { signal } = leaving;
  setMaxListeners(PEOPLE, signal);
  const enter = isKnown ? signInAccount : registerAccount;
  const accounts: Account[] = [];
  for (let n = 0; n < PEOPLE; n++) accounts.push(await enter(url, `person${n}`));
  const closings: (() => Promise<void>)[] = [];
  for (const account of accounts)
    for (let n = 0; n < IDLE_SOCKETS_EACH; n++) closings.push(await keepOpen(url, account, tally));
  const chance = createRandom(seed);
  const lives = accounts.map((account, n) => live(url, account, { chance: chance.part(n), tally, signal }));
  return {
    async leave() {
      leaving.abort();
      await Promise.all(lives);
      await Promise.all(closings.map((close) => close()));
    },
  };
}

/** A page that nobody looks at: it hears of changes, and connects again when it is cut. */
async function keepOpen(url: string, account: Account, tally: Tally): Promise<() => Promise<void>> {
  let isKept = true;
  let current: LightSocket;
  await open();
  return async () => {
    isKept = false;
    await current.close();
  };

  async function open(): Promise<void> {
    current = await openLightSocket(`${url.replace(/^http/, 'ws')}/trpc`, await account.token());
    current.subscribe('convos.changes', undefined, {});
    current.socket.on('error', () => undefined);
    current.socket.once('close', () => {
      if (isKept)
        void sleep(1000)
          .then(open)
          .catch((error: unknown) => tally.failed('an idle socket', error));
    });
  }
}
