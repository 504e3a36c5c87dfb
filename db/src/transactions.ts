// Transactions that outlive the end of their connection. The driver sends their statements, and its own rollback or commit,
// to a connection that has closed, too: that throws where nobody can catch it, which ends the process, or they become a
// part of the transaction that uses the connection next (github.com/porsager/postgres, issues 1208 and 1216).
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type postgres from 'postgres';
import { findPgCode } from './postgres-error.ts';

type Run = (tx: postgres.TransactionSql) => unknown;

interface Progress {
  /** Whether its connection has closed before its end. */
  isLost: boolean;
}

/** PostgreSQL undid it so that others could go on: "serialization_failure" and "deadlock_detected". */
const UNDONE = ['40001', '40P01'];
const TRIES_MAX = 5;
/** Those who met wait for different times at most as long, in milliseconds, or they would meet again. */
const PAUSE_MAX_MS = 100;

/**
 * Runs a transaction, or a statement that is one, and runs it again when PostgreSQL chose it as the one to undo: nobody
 * sees that. `mayRepeat` is asked before each further try.
 */
export async function repeatUndone<T>(run: () => Promise<T>, mayRepeat = () => true): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await run();
    } catch (error) {
      if (tries === TRIES_MAX || !UNDONE.includes(findPgCode(error) ?? '') || !mayRepeat()) throw error;
    }
    await sleep(Math.random() * PAUSE_MAX_MS);
  }
}

/**
 * A pool and its `begin`; `openPool` opens the pool with the given listener. When the connection of a transaction closes,
 * `begin` rejects, and no statement of it is sent any more.
 */
export function createTransactions(openPool: (onclose: (connectionId: number) => void) => postgres.Sql) {
  /** By the number of their connection. */
  const running = new Map<number, Progress>();
  const pool = openPool((id) => {
    const progress = running.get(id);
    if (progress) progress.isLost = true;
    running.delete(id);
  });
  let beginning: Progress | null = null;
  const unsafe = pool.unsafe.bind(pool);
  // Called by the driver's `begin` for its first statement, with a listener of its own that is told the connection.
  pool.unsafe = (text, values, options) => {
    const progress = beginning;
    const listener: unknown = options && Reflect.get(options, 'onexecute');
    if (progress === null || typeof listener !== 'function') return unsafe(text, values, options);
    const onexecute = (connection: { id: number }): unknown => {
      running.set(connection.id, progress);
      return listener(connection);
    };
    return unsafe(text, values, Object.assign({}, options, { onexecute }));
  };
  return { pool, begin };

  async function begin(run: Run): Promise<unknown> {
    const progress: Progress = { isLost: false };
    beginning = progress;
    const ended = pool.begin((tx) => unlessLost(progress, tx, run));
    beginning = null;
    try {
      return await ended;
    } finally {
      for (const [id, one] of running) if (one === progress) running.delete(id);
    }
  }
}

/** Never settles once the connection is lost: the driver has rejected the transaction, and would send its end. */
async function unlessLost(progress: Progress, tx: postgres.TransactionSql, run: Run): Promise<unknown> {
  refuseWhenLost(progress, tx);
  try {
    const result = await run(tx);
    return progress.isLost ? await new Promise(() => {}) : result;
  } catch (error) {
    // A broken connection fails its statements before it closes.
    await nextTurn();
    if (progress.isLost) await new Promise(() => {});
    throw error;
  }
}

function refuseWhenLost(progress: Progress, tx: postgres.TransactionSql): void {
  const unsafe = tx.unsafe.bind(tx);
  tx.unsafe = (text, values, options) => {
    if (progress.isLost) throw lost();
    return unsafe(text, values, options);
  };
  const savepoint = tx.savepoint.bind(tx) as (run: Run) => Promise<unknown>;
  const nested = (run: Run) =>
    progress.isLost ? Promise.reject(lost()) : savepoint((inner) => unlessLost(progress, inner, run));
  Object.assign(tx, { savepoint: nested });
}

function lost(): Error {
  return Object.assign(new Error('The connection of the transaction has closed'), { code: 'CONNECTION_CLOSED' });
}
