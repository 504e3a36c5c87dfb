// (g) Steady load: many long answers at reading pace, and whether they keep it.
import { setTimeout as sleep } from 'node:timers/promises';
import { atLeast, atMost, printFigures, type Figure } from './figures.ts';
import { processCpuMs, residentBytes } from './process-usage.ts';
import { databaseCpu, withReaders, openSides, openHelpers, type Side, type Helpers } from './relay.ts';

const STREAMS = 200;
const TOKENS = 5000;
/** Milliseconds between two tokens of one answer. */
const PACE = 50;
const MEMORY_EVERY_MS = 500;

interface Steady {
  tokensPerSecond: number;
  lagP99: number;
  /** CPU milliseconds per 1,000 tokens, of the server and of its database. */
  cpu: number;
  databaseCpu: number;
  /** Resident bytes above the idle level: the peak, and the peaks of the first and the last third. */
  peak: number;
  firstThird: number;
  lastThird: number;
}

/** Prints the table and returns how many targets were missed. */
export async function benchSteady(): Promise<number> {
  const helpers = await openHelpers();
  const { sides, close } = await openSides(helpers);
  try {
    const measured = { bare: await measure(helpers, sides, 'bare'), parley: await measure(helpers, sides, 'parley') };
    return printFigures(
      `(g) steady: ${STREAMS} answers of ${TOKENS} tokens, one every ${PACE} ms`,
      figuresOf(measured),
    );
  } finally {
    await close();
    await Promise.all([helpers.load.end(), helpers.provider.end()]);
  }
}

async function measure(helpers: Helpers, sides: Side[], kind: Side['kind']): Promise<Steady> {
  const side = sides.find((one) => one.kind === kind);
  if (!side) throw new Error(`There is no ${kind}`);
  await withReaders(helpers, side, 1, () => helpers.load.run(kind, 'tokens:50@10'));
  if (kind === 'parley') await helpers.load.register(side.url, STREAMS);
  await sleep(3000);
  const idle = residentBytes(side.pid);
  const resident: number[] = [];
  const before = { server: processCpuMs(side.pid), database: databaseCpu(side) };
  await helpers.load.open(kind, side.url, STREAMS);
  const timer = setInterval(() => resident.push(residentBytes(side.pid) - idle), MEMORY_EVERY_MS);
  const { took, lagP99 } = await helpers.load.run(kind, `tokens:${TOKENS}@${PACE}`);
  clearInterval(timer);
  const thousands = (STREAMS * TOKENS) / 1000;
  const cpu = (processCpuMs(side.pid) - before.server) / thousands;
  const database = (databaseCpu(side) - before.database) / thousands;
  await helpers.load.close(kind);
  console.log(`  ${kind} measured`);
  const third = Math.ceil(resident.length / 3);
  return {
    tokensPerSecond: (STREAMS * TOKENS) / (took / 1000),
    lagP99,
    cpu,
    databaseCpu: database,
    peak: Math.max(...resident),
    firstThird: Math.max(...resident.slice(0, third)),
    lastThird: Math.max(...resident.slice(-third)),
  };
}

function figuresOf({ bare, parley }: { bare: Steady; parley: Steady }): Figure[] {
  const cells = (of: (one: Steady) => number, digits = 0) => ({
    bare: of(bare).toFixed(digits),
    parley: of(parley).toFixed(digits),
  });
  const speed = (one: Steady) => one.tokensPerSecond;
  const megabytes = (bytes: number) => bytes / 1e6;
  const asked = (STREAMS * 1000) / PACE;
  return [
    // The last answer ends a little after the first.
    { name: 'tokens per second', cells: cells(speed), target: atLeast(parley.tokensPerSecond, 0.97 * asked, '') },
    { name: 'late by, p99, ms', cells: cells(({ lagP99 }) => lagP99), target: atMost(parley.lagP99, 300, ' ms') },
    { name: 'server CPU, ms per 1,000 tokens', cells: cells(({ cpu }) => cpu, 1) },
    { name: 'database CPU, ms per 1,000 tokens', cells: cells((one) => one.databaseCpu, 1) },
    {
      name: 'memory over idle, at most, MB',
      cells: cells(({ peak }) => megabytes(peak)),
      target: atMost(megabytes(parley.peak), 150, ' MB'),
    },
    { name: 'the same, first third, MB', cells: cells(({ firstThird }) => megabytes(firstThird)) },
    { name: 'the same, last third, MB', cells: cells(({ lastThird }) => megabytes(lastThird)) },
  ];
}
