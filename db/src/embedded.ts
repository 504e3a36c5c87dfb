// Embedded PostgreSQL: a child process on a private unix socket in the data folder. It needs no lock or counter of its
// own: PostgreSQL's lock file lets one starter win, every user of the server holds a usage lock (a session with a
// shared advisory lock, which ends with its process however it dies), and the last one to leave stops the server.
import { setTimeout as sleep } from 'node:timers/promises';
import { assertBinaries } from './embedded/binaries.ts';
import { ensureCluster } from './embedded/cluster.ts';
import { osUserFor } from './embedded/os-user.ts';
import { connectionTo, preparePaths, type Paths } from './embedded/paths.ts';
import { clearStaleLocks, launchPostmaster, stopPostmaster, type Postmaster } from './embedded/postmaster.ts';
import { type Connection, open } from './client.ts';
import postgres from 'postgres';

const SEATS_LOCK_KEY = 7_065_539;

const STOPPING = 'parley stops ';

export type Embedded = {
  connection: Connection & { kind: 'socket' };
  /** Whether the server was already running, started by another process or left behind by a killed one. */
  adopted: boolean;
  /** The numbers of processes that use it, too, and were told to stop longer ago than a shutdown takes. */
  stuck: number[];
  /** Tells later starters that this process stops. */
  announceStop(): Promise<void>;
  /**
   * Releases this process's usage lock; stops the server if it was the last. Until then the server is restarted when it
   * fails.
   */
  stop(): Promise<void>;
};

export type Settings = Record<string, string>;

/**
 * Starts or joins the server whose data is in `dataDir`. `settings` are PostgreSQL settings and override the defaults;
 * `clock` gives milliseconds. Throws an error with one sentence for the operator.
 */
export async function startEmbedded(dataDir: string, settings: Settings = {}, clock = Date.now): Promise<Embedded> {
  const paths = preparePaths(dataDir);
  const stopping = new AbortController();
  const { signal } = stopping;
  const acquireAgain = () => acquire(paths, settings, signal, clock);
  const { lock, adopted } = await acquireAgain();
  const stuck = await lock.stoppingSince(clock() - SHUTDOWN_MAX_MS);
  let current = lock;
  const staying = keepLock(lock, acquireAgain, signal, (next) => (current = next));
  let left: Promise<void> | undefined;
  const stop = async () => {
    stopping.abort();
    const last = await staying;
    if (await last.isOnlyOne()) await stopPostmaster(paths);
    await last.leave();
  };
  return {
    connection: connectionTo(paths, 'parley'),
    adopted,
    stuck,
    announceStop: () => current.announceStop(),
    stop: () => (left ??= stop()),
  };
}

/** Longer than any shutdown takes, in milliseconds. */
const SHUTDOWN_MAX_MS = 60_000;

/** How long to wait without a sign of life. A server that reports recovery may take longer. */
const SILENCE_MAX_MS = 30_000;

async function acquire(paths: Paths, settings: Settings, signal: AbortSignal, clock: () => number) {
  let postmaster: Postmaster | undefined;
  let signOfLife = clock();
  for (;;) {
    signal.throwIfAborted();
    const response = await acquireUsageLock(paths);
    if (typeof response !== 'string') return { lock: response, adopted: !postmaster?.isRunning() };
    if (response === 'starting') signOfLife = clock();
    if (clock() - signOfLife > SILENCE_MAX_MS) throw new Error(`PostgreSQL does not answer; see ${paths.log}.`);
    if (response === 'absent' && !postmaster?.isRunning()) {
      if (postmaster) await recover(paths, postmaster);
      const began = clock();
      postmaster = await launch(paths, settings);
      // A slow machine may take longer than that to create the cluster, and there is no server to answer yet.
      signOfLife += clock() - began;
    }
    await sleep(20);
  }
}

/** Losing the race to another starter is not a failure, nor is a lock whose owner was killed. */
async function recover(paths: Paths, postmaster: Postmaster) {
  const complaint = postmaster.complaint();
  if (!/^$|lock file|shared memory block/.test(complaint)) {
    throw new Error(`PostgreSQL could not start: ${complaint} (details in ${paths.log}).`);
  }
  clearStaleLocks(paths);
  await sleep(100);
}

async function launch(paths: Paths, settings: Settings) {
  const binaries = assertBinaries();
  const identity = osUserFor(paths);
  await ensureCluster(paths, binaries, identity);
  return launchPostmaster(paths, binaries, identity, settings);
}

/**
 * Restarts the server whenever it is lost (out of memory, disk full); `onReplaced` gets each new usage lock. Resolves to
 * the usage lock at the end.
 */
async function keepLock(
  lock: UsageLock,
  acquireAgain: () => Promise<{ lock: UsageLock }>,
  signal: AbortSignal,
  onReplaced: (next: UsageLock) => void,
): Promise<UsageLock> {
  const stopped = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
  for (let current = lock; ;) {
    await Promise.race([current.lost, stopped]);
    if (signal.aborted) return current;
    const next = await acquireAgain().catch(() => sleep(1000));
    if (!next) continue;
    current = next.lock;
    onReplaced(current);
  }
}

/** A database session whose advisory lock marks the server as in use while its process lives. */
type UsageLock = {
  /** Resolves when the session ends without having been asked to. */
  lost: Promise<void>;
  /** Releases the lock. True when no other process held one, and then none can be acquired any more. */
  isOnlyOne(): Promise<boolean>;
  leave(): Promise<void>;
  /** Marks the session as one of a process that stops. */
  announceStop(): Promise<void>;
  /** The numbers of processes that have been stopping since `before`, in milliseconds since the epoch, or longer. */
  stoppingSince(before: number): Promise<number[]>;
};

/**
 * `absent`: no server answers. `starting`: one answers but accepts no sessions now (starting, recovering, stopping,
 * full).
 */
async function acquireUsageLock(paths: Paths): Promise<UsageLock | 'absent' | 'starting'> {
  let onclose = () => {};
  const lost = new Promise<void>((resolve) => (onclose = resolve));
  const sql = open(connectionTo(paths, 'postgres'), { max: 1, max_lifetime: null, idle_timeout: 0, onclose });
  const leave = () => sql.end({ timeout: 0 });
  try {
    const [row] = await sql`select pg_try_advisory_lock_shared(${SEATS_LOCK_KEY}) as taken`;
    if (row?.taken)
      return {
        lost,
        leave,
        isOnlyOne: () => isOnlyOne(sql),
        announceStop: () => announceStop(sql),
        stoppingSince: (before) => stoppingSince(sql, before),
      };
    await leave();
    return 'starting';
  } catch (error) {
    await leave();
    return reasonFor(error);
  }
}

async function isOnlyOne(sql: postgres.Sql) {
  try {
    await sql`select pg_advisory_unlock_shared(${SEATS_LOCK_KEY})`;
    const [row] = await sql`select pg_try_advisory_lock(${SEATS_LOCK_KEY}) as alone`;
    return row?.alone === true;
  } catch {
    return false;
  }
}

/** A name of a session says so to anyone who looks, also when the process answers nothing any more. */
async function announceStop(sql: postgres.Sql): Promise<void> {
  await sql`select set_config('application_name', ${STOPPING + process.pid}, false)`;
}

async function stoppingSince(sql: postgres.Sql, before: number): Promise<number[]> {
  const rows = await sql<{ name: string; at: Date }[]>`
    select application_name as name, state_change as at from pg_stat_activity
    where starts_with(application_name, ${STOPPING})`;
  return rows.flatMap(({ name, at }) => (at.getTime() <= before ? Number(name.slice(STOPPING.length)) : []));
}

/** Class 57 is a server that starts or stops, class 53 one without a free connection. */
function reasonFor(error: unknown) {
  if (!(error instanceof postgres.PostgresError)) return 'absent';
  if (/^(57|53)/.test(error.code)) return 'starting';
  throw new Error(`PostgreSQL refuses its own user: ${error.message}.`, { cause: error });
}
