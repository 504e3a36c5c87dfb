// Kills one part of a cluster after the other under load, and adds up over several runs of the command what was lost.
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { createRandom } from './random.ts';
import { isProven, prove, type Proof } from '../cluster/prove.ts';
import { formatTable } from '../cluster/status.ts';
import { KILLS, startCluster, type Cluster, type Kill } from '../cluster/supervisor.ts';

/** Six seconds each; the part is away for two, a database for as long as its failover takes. */
const LOAD = { answers: 20, tokens: 60, every: 100, backAfter: 2 };

const Counts = z.object({
  kills: z.number(),
  answers: z.number(),
  whole: z.number(),
  /** Answers that a killed node left unfinished. */
  cut: z.number(),
  /** Generations without an end. */
  running: z.number(),
  confirmed: z.number(),
  lost: z.number(),
  refused: z.number(),
  /** Kills after which something was not as it has to be. */
  broken: z.number(),
  /** Of each cut answer: how many milliseconds of what its reader had seen are not saved. */
  losses: z.array(z.number()),
  /** Of each kill: the longest time in seconds in which a reader got nothing. */
  late: z.array(z.number()),
});
type Counts = z.output<typeof Counts>;
const Tally = z.partialRecord(z.enum(KILLS), Counts);
type Tally = z.output<typeof Tally>;

const NONE: Omit<Counts, 'losses' | 'late'> = {
  kills: 0,
  answers: 0,
  whole: 0,
  cut: 0,
  running: 0,
  confirmed: 0,
  lost: 0,
  refused: 0,
  broken: 0,
};

/** What earlier runs have counted. */
function readTally(file: string): Tally {
  return existsSync(file) ? Tally.parse(JSON.parse(readFileSync(file, 'utf8'))) : {};
}

function killsIn(tally: Tally): number {
  return Object.values(tally).reduce((sum, { kills }) => sum + kills, 0);
}

/** In a cluster of its own, until `kills` are counted in the file. Returns whether everything held in this run. */
export async function killInCluster(file: string, kills: number): Promise<boolean> {
  const told = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => told.abort());
  const folder = join(tmpdir(), `parley-kills-${process.pid}`);
  const cluster = await startCluster({ folder, say: (line) => console.log(line), signal: told.signal });
  // A part that is away when the run is told to end needs nobody to bring it back.
  told.signal.addEventListener('abort', () => void cluster.close().then(() => process.exit(1)));
  const holds = await killParts(cluster, file, kills).finally(() => told.signal.aborted || cluster.close());
  console.log(`\n${formatTable([TITLES, ...rowsOf(readTally(file))])}`);
  return holds;
}

async function killParts(cluster: Cluster, file: string, kills: number): Promise<boolean> {
  let tally = readTally(file);
  let holds = true;
  for (let n = killsIn(tally); n < kills; n++) {
    const kind = createRandom(`kill ${n}`).pick(KILLS);
    // Two failures at once are another promise than the one that is tested.
    for (const name of await cluster.recover()) console.log(`${name} did not come back by itself and was restarted`);
    const proof = await prove(cluster, kind, LOAD);
    holds &&= isProven(proof) && proof.running === 0;
    tally = { ...tally, [kind]: added(tally[kind], proof) };
    // A run that is ended in between leaves a whole file.
    writeFileSync(`${file}.new`, JSON.stringify(tally));
    renameSync(`${file}.new`, file);
    console.log(`${n + 1} of ${kills}: ${kind}, readers ${proof.late} s late${isProven(proof) ? '' : ', NOT HELD'}`);
    for (const text of proof.lost) console.log(`  lost: ${text}`);
  }
  return holds;
}

function added(counts: Counts | undefined, proof: Proof): Counts {
  const before = counts ?? { ...NONE, losses: [], late: [] };
  const refused = [...proof.refused.values()].reduce((sum, one) => sum + one, 0);
  return {
    kills: before.kills + 1,
    answers: before.answers + proof.answers,
    whole: before.whole + proof.savedWhole,
    cut: before.cut + proof.cut,
    running: before.running + proof.running,
    confirmed: before.confirmed + proof.confirmed,
    lost: before.lost + proof.lost.length,
    refused: before.refused + refused,
    broken: before.broken + (isProven(proof) && proof.running === 0 ? 0 : 1),
    losses: [...before.losses, ...proof.losses],
    late: [...before.late, proof.late],
  };
}

const TITLES = [
  'killed',
  'kills',
  'answers whole',
  'cut',
  'without an end',
  'text lost, p99',
  'readers late, median and worst',
  'lost writes',
  'refused requests',
];

function rowsOf(tally: Tally): string[][] {
  return KILLS.flatMap((kind: Kill) => {
    const counts = tally[kind];
    return counts ? [[kind, ...cellsOf(counts)]] : [];
  });
}

function cellsOf({ kills, answers, whole, cut, running, losses, late, lost, confirmed, refused }: Counts): string[] {
  return [
    String(kills),
    `${whole} of ${answers}`,
    String(cut),
    String(running),
    losses.length === 0 ? '–' : `${quantile(losses, 0.99)} ms`,
    `${quantile(late, 0.5)} s, ${Math.max(...late)} s`,
    `${lost} of ${confirmed}`,
    String(refused),
  ];
}

function quantile(numbers: readonly number[], part: number): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * part) - 1)] ?? 0;
}
