import { randomUUID } from 'node:crypto';
import { generationEvents, generations } from '@parley/db/tables/generations';
import { messages } from '@parley/db/tables/messages';
import { textOf } from '@parley/schema/messages';
import { createLog, type GenerationLog } from '@parley/server/generation/log';
import { createRuns, type Runs } from '@parley/server/generation/runs';
import { finishRun } from '@parley/server/messages/finish';
import { createLogStore } from '@parley/server/messages/log-store';
import { openRooms, type Rooms } from '@parley/server/rooms';
import { settleOrphans, sweepGenerations } from '@parley/server/messages/settle';
import { eq, sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { text, textsOf } from '../../contracts/generation-events.ts';
import { exchange, isAskedAbout, question, readAll } from '../../support/exchange.ts';
import { openTestRooms, type Person, type TestRooms } from '../../support/rooms.ts';

let rooms: TestRooms;
let alice: Person;
const neighbours: Rooms[] = [];
const processes: { runs: Runs; log: GenerationLog }[] = [];

beforeAll(async () => {
  rooms = await openTestRooms();
  alice = await rooms.as('alice');
});
afterEach(async () => {
  for (const neighbour of neighbours.splice(0)) await neighbour.close();
  for (const { runs, log } of processes.splice(0)) {
    await runs.close(0);
    await log.close();
  }
});
afterAll(() => rooms.close());

describe('a run whose process died', () => {
  it('is settled by another one: the text is kept, and the reply says that it was interrupted', async () => {
    const input = await leaveBehind('Before the end', textsOf('Half ', 'an ans'));
    await openNeighbour();
    const reply = await settled(input.replyId);
    expect(textOf(reply)).toBe('Half an ans');
    expect(reply).toMatchObject({ unfinished: true, finishReason: 'incomplete', reason: { type: 'interrupted' } });
    expect((await alice.api.convos.byId({ conversationId: input.conversationId })).running).toBeNull();
  });

  it('gives its readers a final event, wherever they are attached', async () => {
    const neighbour = await openNeighbour();
    const input = await leaveBehind('Readers wait', textsOf('So far'), 'in a second');
    const there = readAll({ ...rooms, deps: neighbour.deps }, alice.id, input.generationId);
    const here = readAll(rooms, alice.id, input.generationId);
    for (const entries of await Promise.all([there, here])) {
      expect(entries.map(({ event }) => event.type).slice(0, 1)).toEqual(['text']);
      expect(entries.at(-1)?.event).toMatchObject({ type: 'final', reply: { unfinished: true } });
    }
  });

  it('leaves its conversation usable at once, before anybody has settled it', async () => {
    const { conversationId } = await leaveBehind('Gone in a moment', []);
    const target = { kind: 'send' as const, messageId: randomUUID(), parentMessageId: null, text: 'Again' };
    const final = await exchange(rooms, alice.id, question('Again', { conversationId, target }));
    expect(textOf(final.reply)).toBe('Again');
  });

  it('is settled once, by whoever is first', async () => {
    const input = await leaveBehind('Two want it', textsOf('Mine'));
    const counts = await Promise.all([1, 2, 3, 4].map(() => settleOrphans(rooms.deps.db, randomUUID())));
    await settled(input.replyId);
    expect(counts.reduce((sum, count) => sum + count)).toBeLessThanOrEqual(1);
    expect(await generation(input.generationId)).toMatchObject({ epoch: 2 });
  });

  it('is settled even if its log is damaged, as far as the log can be read', async () => {
    const damaged = await leaveBehind('Damaged', [text(0, 'Readable'), text(100, 'lost'), text(0, 'strange', 7)]);
    const sound = await leaveBehind('Sound', textsOf('All of it'));
    await settleOrphans(rooms.deps.db, randomUUID());
    expect(textOf(await settled(damaged.replyId))).toBe('Readable');
    expect(textOf(await settled(sound.replyId))).toBe('All of it');
  });

  it('and whose log is damaged can still be looked at', async () => {
    const damaged = await leaveBehind('Damaged', [text(0, 'Readable'), text(100, 'lost')], 'later');
    const shown = await alice.api.messages.list({ conversationId: damaged.conversationId });
    expect(shown.map(textOf)).toEqual(['Damaged', 'Readable']);
  });

  it('that cannot be saved keeps no other from being settled', async () => {
    const { db } = rooms.deps;
    const first = await leaveBehind('The first', textsOf('One'), 'later');
    const second = await leaveBehind('The second', textsOf('Two'), 'later');
    await refuseToSave(first.replyId);
    await Promise.all([first, second].map(({ generationId }) => abandon(generationId)));
    await expect(settleOrphans(db, randomUUID())).rejects.toThrow();
    expect(textOf(await settled(second.replyId))).toBe('Two');
    await db.sql`drop function refuse() cascade`;
  });

  it('is not settled while its lease holds', async () => {
    const input = await leaveBehind('Alive', [], 'later');
    expect(await settleOrphans(rooms.deps.db, randomUUID())).toBe(0);
    expect(await generation(input.generationId)).toMatchObject({ epoch: 1, endedAt: null });
  });
});

describe('a reply that the database refuses', () => {
  it('is tried again for a while, then left to be settled with all that was said, and holds nothing of the process', async () => {
    const { log, runs, faults, start, input } = await processOfItsOwn('Refused', 2500);
    await refuseToSave(input.replyId);
    start();
    await expect.poll(() => runs.size(), { timeout: 8000 }).toBe(0);
    expect(log.living()).toEqual([]);
    expect(faults.map(String)).toEqual([
      expect.stringContaining('Failed query'),
      expect.stringContaining(`${input.generationId} could not be saved and is left to be settled`),
    ]);
    expect(await row(input.replyId)).toMatchObject({ parts: [], unfinished: true });
    await rooms.deps.db.sql`drop function refuse() cascade`;
    await abandon(input.generationId);
    expect(textOf(await settled(input.replyId))).toBe('All of the words');
    expect((await alice.api.convos.byId({ conversationId: input.conversationId })).running).toBeNull();
  });

  it('is saved whole when the database takes it again in time', async () => {
    const { runs, faults, start, input } = await processOfItsOwn('Refused at first', 20_000);
    await refuseToSave(input.replyId);
    start();
    await expect.poll(() => faults.length, { timeout: 5000 }).toBe(1);
    await rooms.deps.db.sql`drop function refuse() cascade`;
    await expect.poll(() => runs.size(), { timeout: 8000 }).toBe(0);
    expect(await row(input.replyId)).toMatchObject({ unfinished: false, finishReason: 'stop' });
    expect(faults).toHaveLength(1);
  });

  it('does not hold up the end of the process', async () => {
    const { runs, faults, start, input } = await processOfItsOwn('Refused to the end', 60_000);
    await refuseToSave(input.replyId);
    start();
    // Between the second try and the third, two seconds lie.
    await expect.poll(() => faults.length, { timeout: 5000 }).toBe(1);
    await new Promise((resolve) => setTimeout(resolve, 1200));
    const began = performance.now();
    await runs.close(0);
    expect(performance.now() - began).toBeLessThan(1000);
    await rooms.deps.db.sql`drop function refuse() cascade`;
  });

  it('is settled less and less often, and still within minutes', async () => {
    const { db } = rooms.deps;
    const input = await leaveBehind('Refused for good', textsOf('Kept'), 'later');
    await refuseToSave(input.replyId);
    const leases: number[] = [];
    for (let n = 0; n < 7; n += 1) {
      await abandon(input.generationId);
      await settleOrphans(db, randomUUID()).catch(() => undefined);
      const [left] = await db.sql<{ seconds: number }[]>`
        select extract(epoch from lease_until - now())::float as seconds from generations where id = ${input.generationId}`;
      leases.push(Math.ceil(left?.seconds ?? 0));
    }
    await db.sql`drop function refuse() cascade`;
    expect(leases).toEqual([8, 16, 32, 64, 120, 120, 120]);
  });
});

describe('a process that slept past its lease', () => {
  it('loses its run to the one that settled it, closes its upstream and overwrites nothing', async () => {
    const input = question('Sleepy', { model: 'fake:never-ending' });
    await alice.api.messages.ask(input);
    const heard = await rooms.provider.waitForRequest(isAskedAbout('Sleepy'), 2000);
    await expect.poll(() => stored(input.generationId), { timeout: 3000 }).toBeGreaterThan(3);
    await abandon(input.generationId);
    await settleOrphans(rooms.deps.db, randomUUID());
    const reply = await settled(input.replyId);
    await expect.poll(() => heard.closedEarly, { timeout: 1000 }).toBe(true);
    const last = (await readAll(rooms, alice.id, input.generationId)).at(-1)?.event;
    expect(last).toMatchObject({ type: 'final', reply: { messageId: reply.id, unfinished: true } });
    expect(await row(input.replyId)).toEqual(reply);
  });

  it('saves nothing when its provider ends after the run was taken over', async () => {
    const input = question('[[tokens:30@20]] Too late', { model: 'gpt-4' });
    await alice.api.messages.ask(input);
    await expect.poll(() => stored(input.generationId), { timeout: 3000 }).toBeGreaterThan(1);
    const taken = { owner: randomUUID(), epoch: 2, leaseUntil: sql`now() + interval '1 hour'` };
    await rooms.deps.db.query.update(generations).set(taken).where(eq(generations.id, input.generationId));
    await new Promise((resolve) => setTimeout(resolve, 900));
    expect(await row(input.replyId)).toMatchObject({ parts: [], unfinished: true });
    expect(await generation(input.generationId)).toMatchObject({ endedAt: null, epoch: 2 });
  });

  it('goes on with it when nobody has taken it over: the database may just have been away', async () => {
    const input = question('[[tokens:40@20]] Still here', { model: 'gpt-4' });
    await alice.api.messages.ask(input);
    const past = { leaseUntil: sql`now() - interval '1 second'` };
    await rooms.deps.db.query.update(generations).set(past).where(eq(generations.id, input.generationId));
    const last = (await readAll(rooms, alice.id, input.generationId)).at(-1)?.event;
    expect(last).toMatchObject({ type: 'final', reply: { unfinished: false, finishReason: 'stop' } });
  });
});

describe('an orderly end of a process', () => {
  it('hands over what is running, with all its text', async () => {
    const neighbour = await openNeighbour();
    neighbours.pop();
    const input = question('Going down', { model: 'fake:never-ending' });
    await neighbour.deps.exchanges.ask(alice.id, input);
    await expect.poll(() => stored(input.generationId), { timeout: 3000 }).toBeGreaterThan(2);
    const closing = neighbour.close();
    const entries = await readAll(rooms, alice.id, input.generationId);
    await closing;
    const last = entries.at(-1)?.event;
    const reply = last?.type === 'final' ? last.reply : null;
    expect(reply).toMatchObject({ unfinished: true, reason: { type: 'interrupted' } });
    const asked = await rooms.provider.waitForRequest(isAskedAbout('Going down'), 100);
    expect(reply && textOf(reply).length).toBeGreaterThan(asked.said * 0.98);
  });
});

describe('sweeping', () => {
  it('removes old stop marks, the log of what ended, and the log of what is gone', async () => {
    const { db } = rooms.deps;
    const ended = await exchange(rooms, alice.id, question('Over'));
    const endedId = ended.reply.generationId ?? '';
    const running = await leaveBehind('Not over', textsOf('Here'), 'later');
    const goneId = randomUUID();
    const event = text(0, 'late');
    await db.query
      .insert(generationEvents)
      .values([endedId, goneId].map((id) => ({ generationId: id, seq: 1, event })));
    const old = { endedAt: sql`now() - interval '2 minutes'` };
    await db.query.update(generations).set(old).where(eq(generations.id, endedId));
    await db.sql`insert into early_stops (user_id, generation_id, created_at)
      values (${alice.id}, ${endedId}, now() - interval '2 hours'), (${alice.id}, ${goneId}, now())`;
    await sweepGenerations(db);
    expect(await stored(endedId)).toBe(0);
    expect(await stored(goneId)).toBe(0);
    expect(await stored(running.generationId)).toBe(1);
    expect(await db.sql`select generation_id from early_stops`).toEqual([{ generation_id: goneId }]);
  });
});

async function openNeighbour(): Promise<Rooms> {
  const { config, secrets, db, log } = rooms.deps;
  const neighbour = await openRooms({ config, secrets, db, log, demo: null });
  neighbours.push(neighbour);
  return neighbour;
}

/** A process that has `saveMs` to save a reply, and an exchange of its that says all and ends when it is started. */
async function processOfItsOwn(asked: string, saveMs: number) {
  const { db } = rooms.deps;
  const input = question(asked, { model: 'fake:silent' });
  const created = await rooms.deps.exchanges.ask(alice.id, input);
  const { generationId } = input;
  const owner = randomUUID();
  const faults: unknown[] = [];
  const onFault = (error: unknown) => faults.push(error);
  const key = { generationId, userId: alice.id, owner, epoch: 1 };
  await db.query.update(generations).set({ owner }).where(eq(generations.id, generationId));
  await expect.poll(() => rooms.provider.openStreams(), { timeout: 2000 }).toBe(0);
  const log = createLog(createLogStore(db, owner), onFault);
  const runs = createRuns(log, { firstMs: 5000, nextMs: 5000, saveMs }, onFault);
  processes.push({ runs, log });
  const start = () =>
    runs.start({
      ...key,
      created,
      async *deltas() {
        yield { type: 'text', text: 'All of the words' };
        yield { type: 'finish', reason: 'stop' };
      },
      reasonOf: () => ({ type: 'unknown', text: '' }),
      save: (reply) => finishRun(db, key, reply, { input: 1, output: 4, estimated: true }),
    });
  return { log, runs, faults, start, input };
}

/** An exchange as a killed process leaves it: asked, with what it had written of the log, and nobody behind it. */
async function leaveBehind(
  asked: string,
  said: ReturnType<typeof textsOf>,
  leaseEnds: 'now' | 'in a second' | 'later' = 'now',
) {
  const { db } = rooms.deps;
  const input = question(asked, { model: 'fake:silent' });
  await alice.api.messages.ask(input);
  await rooms.provider.waitForRequest(isAskedAbout(asked), 5000);
  await db.query.update(generations).set({ owner: randomUUID() }).where(eq(generations.id, input.generationId));
  await expect.poll(() => rooms.provider.openStreams(), { timeout: 2000 }).toBe(0);
  await db.query.delete(generationEvents).where(eq(generationEvents.generationId, input.generationId));
  const entries = said.map((event, n) => ({ generationId: input.generationId, seq: n + 2, event }));
  if (entries.length > 0) await db.query.insert(generationEvents).values(entries);
  const seconds = { now: -1, 'in a second': 1, later: 3600 }[leaseEnds];
  const leaseUntil = sql`now() + make_interval(secs => ${seconds})`;
  await db.query.update(generations).set({ leaseUntil }).where(eq(generations.id, input.generationId));
  const { conversationId, generationId, replyId } = input;
  return { conversationId, generationId, replyId };
}

async function refuseToSave(messageId: string) {
  const { sql: plain } = rooms.deps.db;
  await plain`create function refuse() returns trigger as 'begin raise exception ''no''; end' language plpgsql`;
  await plain.unsafe(
    `create trigger refuse before update on messages for each row when (old.id = '${messageId}') execute function refuse()`,
  );
}

/** Takes a run from its living process, as if its lease had ended long ago. */
async function abandon(generationId: string) {
  const lease = { owner: randomUUID(), leaseUntil: sql`now() - interval '1 second'` };
  await rooms.deps.db.query.update(generations).set(lease).where(eq(generations.id, generationId));
}

async function row(id: string) {
  const [message] = await rooms.deps.db.query.select().from(messages).where(eq(messages.id, id));
  if (!message) throw new Error('There is no such message');
  return message;
}

/** The reply once it has ended. */
async function settled(id: string) {
  await expect.poll(async () => (await row(id)).finishReason, { timeout: 5000 }).not.toBeNull();
  return row(id);
}

async function generation(id: string) {
  const [found] = await rooms.deps.db.query.select().from(generations).where(eq(generations.id, id));
  return found;
}

/** How many rows the log of a generation has in the database. */
function stored(id: string): Promise<number> {
  return rooms.deps.db.query.$count(generationEvents, eq(generationEvents.generationId, id));
}
