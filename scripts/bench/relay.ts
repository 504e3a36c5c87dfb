// (a) The cost of an answer through Parley, as a multiple of a bare relay, both measured in turn.
import { setTimeout as sleep } from 'node:timers/promises';
import type { BareCalls } from './bare-relay.ts';
import { atLeast, atMost, median, printFigures, type Figure, type Target } from './figures.ts';
import { startHelper, type Remote } from './child-process.ts';
import type { Kind, LoadCalls } from './load.ts';
import { openParley } from './parley-server.ts';
import { processCpuMs, databaseProcesses, residentBytes } from './process-usage.ts';
import type { ProviderCalls } from './provider-process.ts';

interface Case {
  streams: number;
  tokens: number;
  rounds: number;
  /** The provider's scenario, `tokens` by default. */
  scenario?: string;
}

const CASES: Record<'short' | 'one' | 'fifty' | 'natural' | 'twoHundred' | 'long', Case> = {
  short: { streams: 20, tokens: 10, rounds: 40 },
  one: { streams: 1, tokens: 200, rounds: 9 },
  fifty: { streams: 50, tokens: 200, rounds: 5 },
  natural: { streams: 50, tokens: 200, rounds: 5, scenario: 'natural' },
  twoHundred: { streams: 200, tokens: 200, rounds: 3 },
  long: { streams: 5, tokens: 2000, rounds: 2 },
};
/** Milliseconds between two tokens. */
const PACE = 10;
const MEMORY_ROUNDS = 3;

/** One run of one case on one side. */
interface Sample {
  /** CPU milliseconds per 1,000 tokens, of the server and of its database. */
  cpu: number;
  databaseCpu: number;
  tokensPerSecond: number;
  bytesPerToken: number;
  /** Milliseconds from the provider's first word to the client's. */
  lateness: number;
  /** Milliseconds from sending a question to the first text, median over the clients. */
  firstText: number;
}

type Samples = Record<Kind, Sample[]>;

export interface Helpers {
  provider: Remote<ProviderCalls>;
  providerUrl: string;
  load: Remote<LoadCalls>;
}

export interface Side {
  kind: Kind;
  url: string;
  pid: number;
  databasePids(): number[];
}

/** Prints the table and returns how many targets were missed. */
export async function benchRelay(): Promise<number> {
  const helpers = await openHelpers();
  try {
    const measured = await measureCases(helpers);
    const memory = await measureMemory(helpers);
    return printFigures('(a) relay: Parley beside a bare tRPC relay', [...figuresOf(measured), memoryFigure(memory)]);
  } finally {
    await Promise.all([helpers.load.end(), helpers.provider.end()]);
  }
}

export async function openHelpers(): Promise<Helpers> {
  const provider = startHelper<ProviderCalls>('./provider-process.ts');
  return { provider, providerUrl: await provider.url(), load: startHelper<LoadCalls>('./load.ts') };
}

export async function openSides({ providerUrl }: Helpers): Promise<{ sides: Side[]; close(): Promise<void> }> {
  const bare = startHelper<BareCalls>('./bare-relay.ts');
  const parley = await openParley(providerUrl);
  const sides: Side[] = [
    { kind: 'bare', url: await bare.open(providerUrl), pid: bare.pid, databasePids: () => [] },
    {
      kind: 'parley',
      url: parley.server.url,
      pid: parley.server.pid,
      databasePids: () => databaseProcesses(parley.folder),
    },
  ];
  return { sides, close: async () => void (await Promise.all([bare.end(), parley.close()])) };
}

async function measureCases(helpers: Helpers): Promise<Record<keyof typeof CASES, Samples>> {
  const { sides, close } = await openSides(helpers);
  try {
    for (const side of sides)
      await withReaders(helpers, side, 20, () => helpers.load.run(side.kind, `tokens:200@${PACE}`));
    return {
      short: await measure(helpers, sides, CASES.short),
      one: await measure(helpers, sides, CASES.one),
      fifty: await measure(helpers, sides, CASES.fifty),
      natural: await measure(helpers, sides, CASES.natural),
      twoHundred: await measure(helpers, sides, CASES.twoHundred),
      long: await measure(helpers, sides, CASES.long),
    };
  } finally {
    await close();
  }
}

/** Alternates between both sides, so that other work of the machine affects both. */
async function measure(helpers: Helpers, sides: Side[], one: Case): Promise<Samples> {
  const { streams, tokens, rounds, scenario = 'tokens' } = one;
  const samples: Samples = { bare: [], parley: [] };
  for (const side of sides) await helpers.load.open(side.kind, side.url, streams);
  for (let round = 0; round < rounds; round++)
    for (const side of sides) samples[side.kind].push(await sample(helpers, side, one));
  for (const side of sides) await helpers.load.close(side.kind);
  console.log(`  ${streams} x ${tokens} ${scenario} measured ${rounds} times`);
  return samples;
}

async function sample({ load, provider }: Helpers, side: Side, { streams, tokens, scenario }: Case): Promise<Sample> {
  const before = { server: processCpuMs(side.pid), database: databaseCpu(side) };
  const { took, readings, bytes } = await load.run(side.kind, `${scenario ?? 'tokens'}:${tokens}@${PACE}`);
  const thousands = (streams * tokens) / 1000;
  const firstWords = await provider.firstWords(readings.map(({ mark }) => mark));
  return {
    cpu: (processCpuMs(side.pid) - before.server) / thousands,
    databaseCpu: (databaseCpu(side) - before.database) / thousands,
    tokensPerSecond: (streams * tokens) / (took / 1000),
    bytesPerToken: bytes / (streams * tokens),
    lateness: median(readings.map(({ firstTextAt }, n) => firstTextAt - (firstWords[n] ?? NaN))),
    firstText: median(readings.map(({ sentAt, firstTextAt }) => firstTextAt - sentAt)),
  };
}

export function databaseCpu({ databasePids }: Side): number {
  return databasePids().reduce((sum, pid) => sum + processCpuMs(pid), 0);
}

/** Bytes per stream, of 200: the peak resident memory during the streams, less that when idle. */
async function measureMemory(helpers: Helpers): Promise<Record<Kind, number[]>> {
  const perStream: Record<Kind, number[]> = { bare: [], parley: [] };
  for (let round = 0; round < MEMORY_ROUNDS; round++) {
    const { sides, close } = await openSides(helpers);
    for (const side of sides) perStream[side.kind].push(await memoryPerStream(helpers, side));
    await close();
  }
  return perStream;
}

const MEMORY_STREAMS = 200;

async function memoryPerStream(helpers: Helpers, side: Side): Promise<number> {
  await withReaders(helpers, side, 1, () => helpers.load.run(side.kind, 'tokens:50@10'));
  if (side.kind === 'parley') await helpers.load.register(side.url, MEMORY_STREAMS);
  await sleep(3000);
  const idle = residentBytes(side.pid);
  let peak = idle;
  const timer = setInterval(() => (peak = Math.max(peak, residentBytes(side.pid))), 50);
  // Slow enough for the machine to keep up, so that queues are not measured.
  await withReaders(helpers, side, MEMORY_STREAMS, () => helpers.load.run(side.kind, 'tokens:200@50'));
  clearInterval(timer);
  return (peak - idle) / MEMORY_STREAMS;
}

/** Runs `work` with `count` clients connected. */
export async function withReaders(
  helpers: Helpers,
  { kind, url }: Side,
  count: number,
  act: () => Promise<unknown>,
): Promise<void> {
  await helpers.load.open(kind, url, count);
  await act();
  await helpers.load.close(kind);
}

/** CPU milliseconds of a whole short exchange: its fixed price. */
function exchangeFigures({ bare, parley }: Samples): Figure[] {
  const price = (samples: Sample[], key: 'cpu' | 'databaseCpu') => (meanOf(samples, key) * CASES.short.tokens) / 1000;
  const row = (name: string, key: 'cpu' | 'databaseCpu', most: number): Figure => ({
    name,
    cells: { bare: price(bare, key).toFixed(2), parley: price(parley, key).toFixed(2) },
    target: atMost(price(parley, key), most, ' ms'),
  });
  return [
    row('server CPU an exchange of ten tokens, ms', 'cpu', 3.5),
    row('database CPU an exchange of ten tokens, ms', 'databaseCpu', 2.2),
  ];
}

function figuresOf(measured: Record<keyof typeof CASES, Samples>): Figure[] {
  const { short, one, fifty, natural, twoHundred, long } = measured;
  const fiftyRatio = ratioOf(fifty, 'cpu');
  const longRatio = ratioOf(long, 'cpu');
  const crowdRatio = ratioOf(twoHundred, 'firstText');
  const aloneLater = middleOf(one.parley, 'firstText') - middleOf(one.bare, 'firstText');
  const naturalCpu = middleOf(natural.parley, 'databaseCpu');
  const speedRatio = ratioOf(twoHundred, 'tokensPerSecond');
  const lateness = middleOf(one.parley, 'lateness');
  const bytes = middleOf(fifty.parley, 'bytesPerToken');
  const longBytes = middleOf(long.parley, 'bytesPerToken');
  const databaseCpu = middleOf(fifty.parley, 'databaseCpu');
  return [
    ...exchangeFigures(short),
    compare('server CPU, 1 stream, ms per 1,000 tokens', one, 'cpu'),
    compare('server CPU, 50 streams, ms per 1,000 tokens', fifty, 'cpu', atMost(fiftyRatio, 1.25, 'x')),
    compare('server CPU, 5 x 2,000 tokens, ms per 1,000 tokens', long, 'cpu', atMost(longRatio, 1.25, 'x')),
    compare('tokens per second, 50 streams', fifty, 'tokensPerSecond'),
    compare('tokens per second, 200 streams', twoHundred, 'tokensPerSecond', atLeast(speedRatio, 0.7, 'x')),
    compare('first token after the provider, 1 stream, ms', one, 'lateness', atMost(lateness, 10, ' ms')),
    compare('first token after sending, 200 at once, ms', twoHundred, 'firstText', atMost(crowdRatio, 2, 'x')),
    compare('first token after sending, 1 alone, ms', one, 'firstText', {
      words: 'at most 8 ms later',
      met: aloneLater <= 8,
    }),
    compare('bytes per token, 1 stream', one, 'bytesPerToken', atMost(middleOf(one.parley, 'bytesPerToken'), 60, '')),
    compare('bytes per token, 50 streams', fifty, 'bytesPerToken', atMost(bytes, 60, '')),
    compare('bytes per token, 5 x 2,000 tokens', long, 'bytesPerToken', atMost(longBytes, 60, '')),
    compare('database CPU, 50 streams, ms per 1,000 tokens', fifty, 'databaseCpu', atMost(databaseCpu, 15, ' ms')),
    compare('database CPU, 50 streams of natural text', natural, 'databaseCpu', atMost(naturalCpu, 40, ' ms')),
  ];
}

function memoryFigure({ bare, parley }: Record<Kind, number[]>): Figure {
  const ratio = median(parley) / median(bare);
  const cells = { bare: kilobytes(median(bare)), parley: kilobytes(median(parley)), ratio: ratio.toFixed(2) };
  return { name: `memory per stream, ${MEMORY_STREAMS} streams`, cells, target: atMost(ratio, 1.5, 'x') };
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1024).toFixed(0)} kB`;
}

function compare(name: string, samples: Samples, what: keyof Sample, target?: Target): Figure {
  const [bare, parley] = [middleOf(samples.bare, what), middleOf(samples.parley, what)];
  const cells = { bare: bare.toFixed(1), parley: parley.toFixed(1), ratio: bare > 0 ? (parley / bare).toFixed(2) : '' };
  return { name, cells, ...(target && { target }) };
}

function ratioOf(samples: Samples, what: keyof Sample): number {
  return middleOf(samples.parley, what) / middleOf(samples.bare, what);
}

function meanOf(samples: Sample[], what: keyof Sample): number {
  return samples.reduce((sum, sample) => sum + sample[what], 0) / samples.length;
}

function middleOf(samples: Sample[], what: keyof Sample): number {
  return median(samples.map((sample) => sample[what]));
}
