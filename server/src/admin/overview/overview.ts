// How the server is, read while an administrator looks at it.
import { access, constants, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { readBackupFacts } from '@parley/db/backup-facts';
import type { Db } from '@parley/db/client';
import type { Reader } from '@parley/db/standby';
import { generations } from '@parley/db/tables/generations';
import { queuedAsks } from '@parley/db/tables/drafts';
import { count, isNull, sql, and, desc, gt, isNotNull } from 'drizzle-orm';
import type { Reason } from '@parley/schema/reasons';
import { isCheckout, operatorCommand } from '../../config/operator-command.ts';
import type { Process, Presence } from '../../http/presence.ts';
import type { FileStore, FileStores } from '../../storage/file-store.ts';
import type { Config } from '../../config/config.ts';
import type { Mail } from '../../platform/mail.ts';
import { withTimeout } from '../../platform/deadline.ts';

export interface OverviewServices {
  config: Config;
  db: Db;
  mail: Mail | null;
  presence: Presence;
  stores: FileStores;
}

export interface Overview {
  /** The one that answers first. */
  processes: (Pick<Process, 'host' | 'version' | 'startedAt' | 'state'> & { id: string; answers: number })[];
  /** Processes that are connected and have not answered. */
  silent: number;
  /** Answers that run, and those of processes that are gone. */
  answers: { running: number; left: number };
  /** Questions that wait for the end of an answer. */
  queued: number;
  database: { ms: number; bytes: number };
  failures: EndpointFailures[];
  /** Where this process writes: the data folder, and that of files where it is on another disk. */
  disks: { holds: 'data' | 'files'; free: number; total: number }[];
  files: { source: FileStore['source']; isAnswering: boolean };
  mail: { isSetUp: boolean; failedAt: string | null };
  /** `command` makes one. */
  backup: Awaited<ReturnType<typeof readBackupFacts>> & { command: string };
}

export async function readOverview({ db, config, presence, stores, mail }: OverviewServices): Promise<Overview> {
  const [{ processes, silent }, database, running, queued, failures, disks, isAnswering, backup] = await Promise.all([
    presence.list(),
    readDatabase(db),
    db.read(countRunning),
    db.read(({ query }) => query.$count(queuedAsks)),
    db.read(listFailures),
    readDisks(config.server.dataDir),
    isStoreAnswering(stores.current, config.server.dataDir),
    readBackupFacts(db.query),
  ]);
  const total = sum(running.map((one) => one.answers));
  const failed = processes.flatMap(({ mailFailedAt }) => mailFailedAt ?? []);
  return {
    processes: processes.map(({ owner, host, version, startedAt, state }) => {
      const answers = sum(running.filter((one) => one.owner === owner).map((one) => one.answers));
      return { id: owner, host, version, startedAt, state, answers };
    }),
    silent,
    answers: { running: total, left: sum(running.map((one) => one.left)) },
    queued,
    database,
    failures,
    disks,
    files: { source: stores.current.source, isAnswering },
    mail: { isSetUp: mail !== null, failedAt: failed.toSorted().at(-1) ?? null },
    backup: { ...backup, command: backupCommand(config.server.dataDir) },
  };
}

/** An image is not written to but for its data. */
function backupCommand(dataDir: string): string {
  return operatorCommand('backup', isCheckout ? 'saved.zip' : join(dataDir, 'saved.zip'));
}

function sum(figures: readonly number[]): number {
  return figures.reduce((all, one) => all + one, 0);
}

async function readDatabase({ sql: text }: Db): Promise<Overview['database']> {
  const began = performance.now();
  await text`select 1`;
  const ms = performance.now() - began;
  const [row] = await text<{ bytes: number }[]>`select pg_database_size(current_database())::float8 as bytes`;
  return { ms, bytes: row?.bytes ?? 0 };
}

async function countRunning({ query }: Reader) {
  return query
    .select({
      owner: generations.owner,
      answers: count(),
      left: sql<number>`count(*) filter (where ${generations.leaseUntil} < now())::int`,
    })
    .from(generations)
    .where(isNull(generations.endedAt))
    .groupBy(generations.owner);
}

async function readDisks(dataDir: string): Promise<Overview['disks']> {
  const folders = [
    { holds: 'data', path: dataDir },
    { holds: 'files', path: join(dataDir, 'uploads') },
  ] as const;
  const found = await Promise.all(
    folders
      .map(async ({ holds, path }) => {
        const [{ bavail, bsize, blocks }, { dev }] = await Promise.all([statfs(path), stat(path)]);
        return { holds, dev, free: bavail * bsize, total: blocks * bsize };
      })
      .map((one) => one.catch(() => null)),
  );
  const disks = found.filter((one) => one !== null);
  return disks
    .filter(({ dev }, at) => disks.findIndex((one) => one.dev === dev) === at)
    .map(({ holds, free, total }) => ({ holds, free, total }));
}

/** How long a store may take, in milliseconds. */
const STORE_MAX_MS = 3000;
/** No key begins so: a store that lists none of them answers. */
const NO_KEY = 'overview/';

async function isStoreAnswering(store: FileStore, dataDir: string): Promise<boolean> {
  const asked = store.source === 'local' ? access(dataDir, constants.W_OK) : listNone(store);
  const answers = asked.then(
    () => true,
    () => false,
  );
  return withTimeout(answers, STORE_MAX_MS, () => false);
}

async function listNone(store: FileStore): Promise<void> {
  for await (const _ of store.list(NO_KEY)) return;
}

interface EndpointFailures {
  endpoint: string;
  failed: number;
  /** The most frequent one, without what the provider said: it may quote the question. */
  reason: Reason;
}

/**
 * Which answers of the last hour failed, by provider, those with the most failures first: why, and nothing of what was
 * asked.
 */
async function listFailures({ query }: Reader): Promise<EndpointFailures[]> {
  const { endpoint, reason, endedAt } = generations;
  const kind = sql<string>`${reason} ->> 'type'`;
  const rows = await query
    .select({ endpoint, failed: count(), reason: sql<Reason>`(array_agg(${reason} order by ${endedAt} desc))[1]` })
    .from(generations)
    .where(and(isNotNull(reason), gt(endedAt, sql`now() - interval '1 hour'`)))
    .groupBy(endpoint, kind)
    .orderBy(desc(count()), endpoint, kind);
  const found = new Map<string, EndpointFailures>();
  for (const row of rows) {
    const known = found.get(row.endpoint);
    if (known) known.failed += row.failed;
    else found.set(row.endpoint, { ...row, reason: 'text' in row.reason ? { ...row.reason, text: '' } : row.reason });
  }
  return [...found.values()].toSorted((a, b) => b.failed - a.failed);
}
