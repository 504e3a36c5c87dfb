// Notifications between the processes of one database: ids only, never content. PostgreSQL takes one lock of the whole
// server for the commit of a transaction that notifies, so what happens often is told beside its transaction: to the
// listeners of this process at once, to other processes a moment later, in one statement for all that has gathered.
import { randomUUID } from 'node:crypto';
import type postgres from 'postgres';

const CHANNEL = 'parley';
/** How long topics gather for other processes, in milliseconds. */
const GATHER_MS = 5;
/** In characters of one byte. PostgreSQL refuses 8,000. */
const PAYLOAD_MAX = 7900;
/** Begins a payload that lists topics, behind the name of the process that tells them. */
const LIST = '@';

export interface TopicListener {
  onTopic(topic: string): void;
  /** Listening has begun, or begun again: what was told meanwhile is unknown. */
  onListening(): void;
}

/**
 * `tell` may be lost with its process, or while a connection is down: each topic only means "look again", and what
 * follows one compares from time to time. A payload that a transaction sends itself is one topic. `direct` listens: a
 * pooler in transaction mode takes `listen` and delivers nothing.
 */
export function createNotifications(sql: postgres.Sql, direct: postgres.Sql = sql) {
  const origin = `${LIST}${randomUUID()}`;
  const listeners = new Set<TopicListener>();
  let unlisten: (() => Promise<void>) | null = null;
  let waiting: string[] = [];
  let timer: NodeJS.Timeout | null = null;
  let sending: Promise<unknown> = Promise.resolve();
  /** Resolves when the others were told that this process listens. */
  let announced: Promise<void> = Promise.resolve();
  /** No other process listens: nothing is sent. */
  let isAlone = false;
  let heardOthers = 0;
  return { tell, listen, lookForOthers, flush };

  /** Call it after the commit. */
  function tell(topic: string): void {
    for (const listener of listeners) listener.onTopic(topic);
    if (isAlone) return;
    waiting.push(topic);
    timer ??= setTimeout(send, GATHER_MS);
  }

  async function listen(listener: TopicListener): Promise<() => Promise<void>> {
    listeners.add(listener);
    unlisten ??= (await direct.listen(CHANNEL, receive, begin)).unlisten;
    await announced;
    return async () => {
      listeners.delete(listener);
      if (listeners.size === 0) await unlisten?.();
    };
  }

  /** Looks whether other processes listen; resolves to whether one does, as far as is known. */
  async function lookForOthers(): Promise<boolean> {
    const before = heardOthers;
    const listening = await countListening(sql);
    isAlone = listening === 1 && listeners.size > 0 && before === heardOthers;
    return !isAlone;
  }

  /** Resolves when everything that was told has been sent. */
  async function flush(): Promise<void> {
    send();
    await sending;
  }

  function begin(): void {
    isAlone = false;
    // Tells the others that there is one more to tell. One that was alone told nothing until it hears of this.
    announced = announce(sql, [origin]);
    for (const { onListening } of listeners) onListening();
    void announced.then(() => listeners.forEach(({ onListening }) => onListening()));
  }

  function receive(payload: string): void {
    const topics = payload.startsWith(LIST) ? fromOthers(payload) : [payload];
    for (const topic of topics) for (const { onTopic } of listeners) onTopic(topic);
  }

  function fromOthers(payload: string): string[] {
    const [from, ...topics] = payload.split(' ');
    if (from === origin) return [];
    isAlone = false;
    heardOthers++;
    return topics;
  }

  function send(): void {
    if (timer) clearTimeout(timer);
    timer = null;
    if (waiting.length === 0) return;
    const payloads = payloadsOf(origin, waiting);
    waiting = [];
    sending = Promise.all([sending, announce(sql, payloads)]);
  }
}

async function announce(sql: postgres.Sql, payloads: string[]): Promise<void> {
  await sql`select pg_notify(${CHANNEL}, payload) from unnest(${payloads}::text[]) as payload`.catch(() => undefined);
}

/** What a connection of another role does is not told: it may listen. */
async function countListening(sql: postgres.Sql): Promise<number | undefined> {
  const [row] = await sql<{ listening: number }[]>`
    select count(*)::int as listening from pg_stat_activity
    where datname = current_database() and query in (${`listen "${CHANNEL}"`}, '<insufficient privilege>')`;
  return row?.listening;
}

/** No two are the same, or PostgreSQL would send one of them only. */
function payloadsOf(origin: string, topics: readonly string[]): string[] {
  const payloads: string[] = [];
  let payload = origin;
  for (const topic of topics) {
    if (payload.length + 1 + topic.length > PAYLOAD_MAX) {
      payloads.push(payload);
      payload = origin;
    }
    payload += ` ${topic}`;
  }
  return [...payloads, payload];
}
