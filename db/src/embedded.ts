// Real PostgreSQL for those who bring none: a child of this process on a private unix socket under the data folder.
// There is no lock and no count of our own. PostgreSQL's lock file lets one starter win, everyone keeps a seat
// (a session with a shared advisory lock, gone with its process however it dies), and who leaves the last seat stops it.
import { setTimeout as sleep } from 'node:timers/promises';
import { assertBinaries } from './embedded/binaries.ts';
import { ensureCluster } from './embedded/cluster.ts';
import { identityFor } from './embedded/identity.ts';
import { connectionTo, preparePlace } from './embedded/place.ts';
import type { Place } from './embedded/place.ts';
import { clearStaleLocks, launchPostmaster, stopPostmaster } from './embedded/postmaster.ts';
import type { Postmaster } from './embedded/postmaster.ts';
import { takeSeat } from './embedded/seat.ts';
import type { Seat } from './embedded/seat.ts';
import type { Connection } from './client.ts';

export type Embedded = {
  connection: Connection & { kind: 'socket' };
  /** Whether the server was running already, started by another process or left behind by a killed one. */
  adopted: boolean;
  /** Gives up this process's seat; ends the server if it was the last. The server is restarted until then. */
  stop(): Promise<void>;
};

export type Settings = Record<string, string>;

/**
 * Starts or joins the server whose data is under `dataDir`. `settings` are PostgreSQL's own names and win over ours.
 * Throws an error whose message is one sentence for the operator.
 */
export async function startEmbedded(dataDir: string, settings: Settings = {}): Promise<Embedded> {
  const place = preparePlace(dataDir);
  const stopping = new AbortController();
  const { seat, adopted } = await enter(place, settings, stopping.signal);
  const staying = stay(seat, place, settings, stopping.signal);
  let left: Promise<void> | undefined;
  const stop = async () => {
    stopping.abort();
    const last = await staying;
    if (await last.isOnlyOne()) await stopPostmaster(place);
    await last.leave();
  };
  return { connection: connectionTo(place, 'parley'), adopted, stop: () => (left ??= stop()) };
}

/** Without any sign of life for so long, waiting is over. A server that says it is recovering may take its time. */
const PATIENCE = 30_000;

async function enter(place: Place, settings: Settings, signal: AbortSignal) {
  let postmaster: Postmaster | undefined;
  let signOfLife = Date.now();
  for (;;) {
    signal.throwIfAborted();
    const answer = await takeSeat(place);
    if (typeof answer !== 'string') return { seat: answer, adopted: !postmaster?.isRunning() };
    if (answer === 'starting') signOfLife = Date.now();
    if (Date.now() - signOfLife > PATIENCE) throw new Error(`PostgreSQL does not answer; see ${place.log}.`);
    if (answer === 'absent' && !postmaster?.isRunning()) {
      if (postmaster) await recover(place, postmaster);
      postmaster = await launch(place, settings);
    }
    await sleep(20);
  }
}

/** Losing the race to another starter is no failure, nor is a lock whose owner was killed. */
async function recover(place: Place, postmaster: Postmaster) {
  const complaint = postmaster.complaint();
  if (!/^$|lock file|shared memory block/.test(complaint)) {
    throw new Error(`PostgreSQL could not start: ${complaint} (details in ${place.log}).`);
  }
  clearStaleLocks(place);
  await sleep(100);
}

async function launch(place: Place, settings: Settings) {
  const binaries = assertBinaries();
  const identity = identityFor(place);
  await ensureCluster(place, binaries, identity);
  return launchPostmaster(place, binaries, identity, settings);
}

/** Brings the server back whenever it is lost (killed for its memory, a full disk). Resolves to the seat at the end. */
async function stay(seat: Seat, place: Place, settings: Settings, signal: AbortSignal): Promise<Seat> {
  const stopped = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
  for (let current = seat; ;) {
    await Promise.race([current.lost, stopped]);
    if (signal.aborted) return current;
    const next = await enter(place, settings, signal).catch(() => sleep(1000));
    if (next) current = next.seat;
  }
}
