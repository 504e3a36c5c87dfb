import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { connect, type Db } from '@parley/db/client';
import { generations } from '@parley/db/tables/generations';
import { createLogStore } from '@parley/server/chat/log-store';
import { releaseRuns, recoverGuarded } from '@parley/server/chat/recovery';
import { createTakeoverGuard } from '@parley/server/chat/takeover-guard';
import { eq, sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { text } from '../../contracts/generation-events.ts';
import { createTestDatabase } from '../../support/database.ts';
import { isAskedAbout, question } from '../../support/exchange.ts';
import { openTestServices, type Person, type TestServices } from '../../support/services.ts';

const HOUR = 3_600_000;

let services: TestServices;
let alice: Person;
let database: Awaited<ReturnType<typeof createTestDatabase>>;
const clients: Db[] = [];

beforeAll(async () => {
  services = await openTestServices();
  alice = await services.as('alice');
  database = await createTestDatabase();
});
afterEach(async () => {
  for (const client of clients.splice(0)) await client.end();
});
afterAll(async () => {
  await database.drop();
  await services.close();
});

describe('a process', () => {
  it('recovers nothing until it has been connected to the database for a lease', async () => {
    expect(await createTakeoverGuard(ownClient(), HOUR).mayTakeOver()).toBe(false);
    expect(await createTakeoverGuard(ownClient(), 1, () => 0).mayTakeOver()).toBe(true);
  });

  it('recovers nothing until a lease has passed when it lost its connection', async () => {
    const db = ownClient();
    // Created long ago: what is young now is the connection alone.
    const guard = createTakeoverGuard(db, 4000, longRunning());
    expect(await touchFor(guard, 4100)).toBe(true);
    await cut(db);
    expect(await firstWord(guard)).toBe(false);
    await expect.poll(() => guard.mayTakeOver()).toBe(true);
  });

  it('waits for another lease after one without contact or asleep', async () => {
    let now = 0;
    const guard = createTakeoverGuard(await settledClient(), 100, () => now);
    expect(await guard.mayTakeOver()).toBe(true);
    now += 101;
    expect(await guard.mayTakeOver()).toBe(false);
    now += 99;
    expect(await guard.mayTakeOver()).toBe(false);
    now += 1;
    expect(await guard.mayTakeOver()).toBe(true);
  });

  it('waits for a lease after a slow answer of the database', async () => {
    const times = [0, 0, 1, 1, 30, 30, 31, 130, 131];
    const guard = createTakeoverGuard(await settledClient(), 100, () => times.shift() ?? Infinity);
    expect(await guard.mayTakeOver()).toBe(true);
    expect(await guard.mayTakeOver()).toBe(false);
    expect(await guard.mayTakeOver()).toBe(false);
    expect(await guard.mayTakeOver()).toBe(true);
  });
});

describe('a run whose lease expired during an outage', () => {
  it('is left to its owner for a lease after the outage', async () => {
    const input = await askAndForget('Owner away');
    const guard = createTakeoverGuard(services.deps.db, HOUR);
    expect(await recoverGuarded(services.deps.db, guard, randomUUID())).toBe(0);
    expect(await generation(input.generationId)).toMatchObject({ epoch: 1, endedAt: null });
  });

  it('is recovered at once when its process shut down in order', async () => {
    const input = await askAndForget('Given up');
    const { owner = '' } = (await generation(input.generationId)) ?? {};
    await releaseRuns(services.deps.db, owner);
    const guard = createTakeoverGuard(services.deps.db, HOUR);
    expect(await recoverGuarded(services.deps.db, guard, randomUUID())).toBe(1);
    expect((await generation(input.generationId))?.endedAt).not.toBeNull();
  });

  it('is renewed by its owner before anything else is written', async () => {
    const { db } = services.deps;
    const input = await askAndForget('Renewed first');
    const { generationId } = input;
    const { owner = '' } = (await generation(generationId)) ?? {};
    const store = createLogStore(db, owner);
    const batch = { generationId, epoch: 1, entries: [{ seq: 2, event: text(0, 'Heard meanwhile') }] };
    await db.sql`alter table generation_events rename to generation_events_away`;
    await expect(store.write([batch])).rejects.toThrow();
    await expect(store.write([batch])).rejects.toThrow();
    expect(await leaseSeconds(generationId)).toBeGreaterThan(0);
    await db.sql`alter table generation_events_away rename to generation_events`;
    expect(await store.write([batch])).toEqual(new Map([[generationId, 'ours']]));
  });
});

function ownClient(): Db {
  const db = connect(database.connection, { max: 2 });
  clients.push(db);
  return db;
}

/** One whose connection is older than a lease of 100 ms. */
async function settledClient(): Promise<Db> {
  const db = ownClient();
  await db.sql`select pg_sleep(0.15)`;
  return db;
}

/** A clock whose first reading lies an hour before the next. */
function longRunning(): () => number {
  let readings = 0;
  return () => Date.now() - (readings++ === 0 ? HOUR : 0);
}

/** Keeps a guard in touch for so many milliseconds and gives its last word. */
async function touchFor(guard: { mayTakeOver(): Promise<boolean> }, ms: number): Promise<boolean> {
  const end = Date.now() + ms;
  while (Date.now() < end) {
    await guard.mayTakeOver();
    await setTimeout(50);
  }
  await expect.poll(() => guard.mayTakeOver()).toBe(true);
  return guard.mayTakeOver();
}

/** Ends every connection of a client, as a database that dies does. */
async function cut(db: Db): Promise<void> {
  const { sql: plain } = database.db;
  const [{ pid } = { pid: 0 }] = await db.sql<{ pid: number }[]>`select pg_backend_pid() as pid`;
  await plain`select pg_terminate_backend(${pid})`;
  await expect.poll(async () => (await plain`select 1 from pg_stat_activity where pid = ${pid}`).length).toBe(0);
}

/** A statement that is written before the driver hears that its connection has ended fails, or is never answered. */
async function firstWord(guard: { mayTakeOver(): Promise<boolean> }): Promise<boolean> {
  const unanswered = setTimeout(500, null);
  const word = await Promise.race([guard.mayTakeOver().catch(() => unanswered), unanswered]);
  return word ?? firstWord(guard);
}

/** An exchange whose process is gone, with a lease that has ended. */
async function askAndForget(asked: string) {
  const input = question(asked, { model: 'fake:silent' });
  await alice.api.messages.ask(input);
  await services.provider.waitForRequest(isAskedAbout(asked));
  const lost = { owner: randomUUID(), leaseUntil: sql`now() + interval '1 hour'` };
  await services.deps.db.query.update(generations).set(lost).where(eq(generations.id, input.generationId));
  await expect.poll(() => services.provider.openStreams()).toBe(0);
  const ended = { leaseUntil: sql`now() - interval '1 second'` };
  await services.deps.db.query.update(generations).set(ended).where(eq(generations.id, input.generationId));
  return input;
}

async function generation(id: string) {
  const [found] = await services.deps.db.query.select().from(generations).where(eq(generations.id, id));
  return found;
}

async function leaseSeconds(id: string): Promise<number> {
  const [row] = await services.deps.db.sql<{ seconds: number }[]>`
    select extract(epoch from lease_until - now())::float as seconds from generations where id = ${id}`;
  return row?.seconds ?? -Infinity;
}
