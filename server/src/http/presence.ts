// Which processes a database has. Each says who it is when one asks: nothing is written, and nothing is sent otherwise.
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '@parley/db/client';
import { VERSION } from '@parley/schema/catalog/startup';
import { parseJson } from '@parley/schema/json';
import * as z from 'zod';
import type { Mail } from '../platform/mail.ts';
import type { PubSub } from '../platform/pubsub.ts';
import { createReadiness, type Readiness } from './readiness.ts';

const Process = z.object({
  /** Names it in the leases of its answers. */
  owner: z.string(),
  host: z.string(),
  version: z.string(),
  startedAt: z.string(),
  state: z.enum(['ready', 'stopping', 'silent']),
  /** When the last mail could not be sent; null where it could, or there was none. */
  mailFailedAt: z.string().nullable(),
});
export type Process = z.infer<typeof Process>;

export interface Presence {
  /** Names this process. */
  owner: string;
  readiness: Readiness;
  /** Those that have answered, this one first, and how many more listen to the database. */
  list(): Promise<{ processes: Process[]; silent: number }>;
}

interface From {
  db: Db;
  pubsub: Pick<PubSub, 'on'>;
  owner: string;
  mail: Pick<Mail, 'failedAt'> | null;
}

const ASK = 'who:';
const ANSWER = 'here:';
/** How long others may take to answer, and how often it looks whether all have, in milliseconds. */
const ANSWER_MAX_MS = 1500;
const LOOK_EVERY_MS = 20;

export function createPresence({ db, pubsub, owner, mail }: From): Presence {
  const readiness = createReadiness(db);
  const startedAt = new Date().toISOString();
  const asking = new Set<Map<string, Process>>();
  pubsub.on(ASK, (asker) => {
    if (asker !== owner) void describe().then((own) => db.tell(ANSWER + encode(own)));
  });
  pubsub.on(ANSWER, (text) => {
    const said =
      asking.size > 0 ? (Process.safeParse(parseJson(Buffer.from(text, 'base64url').toString())).data ?? null) : null;
    if (said) for (const heard of asking) heard.set(said.owner, said);
  });
  return { owner, readiness, list };

  async function describe(): Promise<Process> {
    const state = await readiness.read();
    return { owner, host: hostname(), version: VERSION, startedAt, state, mailFailedAt: mail?.failedAt() ?? null };
  }

  async function list() {
    const heard = new Map<string, Process>();
    asking.add(heard);
    try {
      db.tell(ASK + owner);
      const [own, listening] = await Promise.all([describe(), countListening(db)]);
      heard.set(owner, own);
      for (let waited = 0; heard.size < listening && waited < ANSWER_MAX_MS; waited += LOOK_EVERY_MS)
        await sleep(LOOK_EVERY_MS);
      const others = [...heard.values()].filter((one) => one.owner !== owner);
      const processes = [own, ...others.toSorted((a, b) => (a.startedAt < b.startedAt ? -1 : 1))];
      // One that has ended meanwhile is not silent.
      const left = heard.size < listening ? await countListening(db) : listening;
      return { processes, silent: Math.max(0, left - processes.length) };
    } finally {
      asking.delete(heard);
    }
  }
}

/** Each process has one connection that does nothing but listen. */
async function countListening({ sql }: Db): Promise<number> {
  const [row] = await sql<{ listening: number }[]>`
    select count(*)::int as listening from pg_stat_activity
    where datname = current_database() and query = 'listen "parley"'`;
  return row?.listening ?? 0;
}

/** A topic has neither spaces nor other than ASCII. */
function encode(said: Process): string {
  return Buffer.from(JSON.stringify(said)).toString('base64url');
}
