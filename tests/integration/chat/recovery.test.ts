import { randomUUID } from 'node:crypto';
import { generationEvents, generations } from '@parley/db/tables/generations';
import { messages } from '@parley/db/tables/messages';
import { messageText } from '@parley/schema/messages/messages';
import { createLog, type GenerationLog } from '@parley/server/generation/log';
import { createRuns, type Runs } from '@parley/server/generation/runs';
import { finalizeRun } from '@parley/server/chat/finalize';
import { createLogStore } from '@parley/server/chat/log-store';
import { createServices, type Services } from '@parley/server/services';
import { recoverExpiredRuns, releaseRuns, sweepGenerations } from '@parley/server/chat/recovery';
import type { Timings } from '@parley/server/config/timings';
import { eq, sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { emptyReply, folded, text, textsOf } from '../../contracts/generation-events.ts';
import { exchange, isAskedAbout, question, readAll } from '../../support/exchange.ts';
import { openTestServices, type Person, type TestServices } from '../../support/services.ts';

const HOUR = 3_600_000;

let services: TestServices;
let alice: Person;
const neighbours: Services[] = [];
const processes: { runs: Runs; log: GenerationLog }[] = [];

beforeAll(async () => {
  // Nothing is recovered here but by those who ask for it, or it would be chance who is first.
  services = await openTestServices();
  alice = await services.as('alice');
});
afterEach(async () => {
  for (const neighbour of neighbours.splice(0)) await neighbour.close();
  for (const { runs, log } of processes.splice(0)) {
    await runs.close(0);
    await log.close();
  }
});
afterAll(() => services.close());

describe('a run whose process died', () => {
  it('is recovered by another: the text is saved and the reply is marked as interrupted', async () => {
    const input = await leaveBehind('Before the end', textsOf('Half ', 'an ans'));
    await openNeighbour({ recoveryEveryMs: 50 });
    const reply = await settled(input.replyId);
    expect(messageText(reply)).toBe('Half an ans');
    expect(reply).toMatchObject({ unfinished: true, finishReason: 'incomplete', reason: { type: 'interrupted' } });
    expect((await alice.api.convos.byId({ conversationId: input.conversationId })).running).toBeNull();
  });

  it('gives a final event to its readers in every process', async () => {
    const neighbour = await openNeighbour();
    const input = await leaveBehind('Readers wait', textsOf('So far'), 'in a second');
    const there = readAll({ ...services, deps: neighbour.deps }, alice.id, input.generationId);
    const here = readAll(services, alice.id, input.generationId);
    for (const entries of await Promise.all([there, here])) {
      expect(entries.map(({ event }) => event.type).slice(0, 1)).toEqual(['text']);
      expect(entries.at(-1)?.event).toMatchObject({ type: 'final', reply: { unfinished: true } });
    }
  });

  it('does not block its conversation, even before recovery', async () => {
    const { conversationId } = await leaveBehind('Gone in a moment', []);
    const target = { kind: 'send' as const, messageId: randomUUID(), parentMessageId: null, text: 'Again' };
    const final = await exchange(services, alice.id, question('Again', { conversationId, target }));
    expect(messageText(final.reply)).toBe('Again');
  });

  it('is recovered once', async () => {
    const input = await leaveBehind('Two want it', textsOf('Mine'));
    const counts = await Promise.all([1, 2, 3, 4].map(() => recoverExpiredRuns(services.deps.db, randomUUID())));
    await settled(input.replyId);
    expect(counts.reduce((sum, count) => sum + count)).toBeLessThanOrEqual(1);
    expect(await generation(input.generationId)).toMatchObject({ epoch: 2 });
  });

  it('is recovered from the readable part of a damaged log', async () => {
    const damaged = await leaveBehind('Damaged', [text(0, 'Readable'), text(100, 'lost'), text(0, 'strange', 7)]);
    const sound = await leaveBehind('Sound', textsOf('All of it'));
    await recoverExpiredRuns(services.deps.db, randomUUID());
    expect(messageText(await settled(damaged.replyId))).toBe('Readable');
    expect(messageText(await settled(sound.replyId))).toBe('All of it');
  });

  it('can be read while its log is damaged', async () => {
    const damaged = await leaveBehind('Damaged', [text(0, 'Readable'), text(100, 'lost')], 'later');
    const shown = await alice.api.messages.list({ conversationId: damaged.conversationId });
    expect(shown.map(messageText)).toEqual(['Damaged', 'Readable']);
  });

  it('does not keep others from recovery when it cannot be saved', async () => {
    const { db } = services.deps;
    const first = await leaveBehind('The first', textsOf('One'), 'later');
    const second = await leaveBehind('The second', textsOf('Two'), 'later');
    await refuseToSave(first.replyId);
    await Promise.all([first, second].map(({ generationId }) => abandon(generationId)));
    await expect(recoverExpiredRuns(db, randomUUID())).rejects.toThrow();
    expect(messageText(await settled(second.replyId))).toBe('Two');
    await db.sql`drop function refuse() cascade`;
  });

  it('is left to another process by one that ends', async () => {
    const { db } = services.deps;
    const input = await leaveBehind('Not any more', textsOf('Half'));
    const owner = randomUUID();
    expect(await recoverExpiredRuns(db, owner, { ending: AbortSignal.abort() })).toBe(0);
    expect(await generation(input.generationId)).toMatchObject({ owner, endedAt: null });
    await releaseRuns(db, owner);
    await recoverExpiredRuns(db, randomUUID());
    expect(messageText(await settled(input.replyId))).toBe('Half');
  });

  it('is not recovered while its lease is valid', async () => {
    const input = await leaveBehind('Alive', [], 'later');
    expect(await recoverExpiredRuns(services.deps.db, randomUUID())).toBe(0);
    expect(await generation(input.generationId)).toMatchObject({ epoch: 1, endedAt: null });
  });
});

describe('a reply that the database rejects', () => {
  it('is retried for a while, then left to recovery with its whole text, and frees the memory of the process', async () => {
    const { log, runs, faults, start, input } = await processOfItsOwn('Refused', { saveMs: 200, saveRetryMs: 20 });
    await refuseToSave(input.replyId);
    start();
    await expect.poll(() => runs.size()).toBe(0);
    expect(log.find(input.generationId)).toBeUndefined();
    expect(faults.map(String)).toEqual([
      expect.stringContaining('Failed query'),
      expect.stringContaining(`${input.generationId} could not be saved and is left to be settled`),
    ]);
    expect(await row(input.replyId)).toMatchObject({ parts: [], unfinished: true });
    await services.deps.db.sql`drop function refuse() cascade`;
    await abandon(input.generationId);
    await recoverExpiredRuns(services.deps.db, randomUUID());
    expect(messageText(await settled(input.replyId))).toBe('All of the words');
    expect((await alice.api.convos.byId({ conversationId: input.conversationId })).running).toBeNull();
  });

  it('is saved whole when the database accepts it in time', async () => {
    const { runs, faults, start, input } = await processOfItsOwn('Refused at first', {
      saveMs: 20_000,
      saveRetryMs: 20,
    });
    await refuseToSave(input.replyId);
    start();
    await expect.poll(() => faults.length).toBe(1);
    await services.deps.db.sql`drop function refuse() cascade`;
    await expect.poll(() => runs.size()).toBe(0);
    expect(await row(input.replyId)).toMatchObject({ unfinished: false, finishReason: 'stop' });
    expect(faults).toHaveLength(1);
  });

  it('does not delay shutdown', async () => {
    const { runs, faults, start, input } = await processOfItsOwn('Refused to the end', {
      saveMs: HOUR,
      saveRetryMs: HOUR / 2,
    });
    await refuseToSave(input.replyId);
    start();
    await expect.poll(() => faults.length).toBe(1);
    // The next try lies half an hour ahead.
    await runs.close(0);
    await services.deps.db.sql`drop function refuse() cascade`;
  });

  it('is recovered with growing pauses of at most minutes', async () => {
    const { db } = services.deps;
    const input = await leaveBehind('Refused permanently', textsOf('Kept'), 'later');
    await refuseToSave(input.replyId);
    for (const seconds of [8, 16, 32, 64, 120, 120, 120]) {
      await abandon(input.generationId);
      const [begun] = await db.sql<{ at: string }[]>`select now()::text as at`;
      await recoverExpiredRuns(db, randomUUID()).catch(() => undefined);
      // The pause began between two looks at the clock, however far these are from each other.
      const [pause] = await db.sql<{ least: number; most: number }[]>`
        select extract(epoch from lease_until - now())::float as least,
          extract(epoch from lease_until - ${begun?.at ?? ''}::timestamptz)::float as most
        from generations where id = ${input.generationId}`;
      expect(pause?.least).toBeLessThanOrEqual(seconds);
      expect(pause?.most).toBeGreaterThanOrEqual(seconds);
    }
    await db.sql`drop function refuse() cascade`;
  });
});

describe('a process that sleeps longer than its lease', () => {
  it('loses its run to recovery, closes the connection to the provider and overwrites nothing', async () => {
    const input = question('Sleepy', { model: 'fake:never-ending' });
    await alice.api.messages.ask(input);
    const heard = await services.provider.waitForRequest(isAskedAbout('Sleepy'));
    await expect.poll(() => stored(input.generationId)).toBeGreaterThan(3);
    await abandon(input.generationId);
    await recoverExpiredRuns(services.deps.db, randomUUID());
    const reply = await settled(input.replyId);
    await expect.poll(() => heard.closedEarly).toBe(true);
    const last = (await readAll(services, alice.id, input.generationId)).at(-1)?.event;
    expect(last).toMatchObject({ type: 'final', reply: { messageId: reply.id, unfinished: true } });
    expect(await row(input.replyId)).toEqual(reply);
  });

  it('saves nothing when its provider ends after the run was recovered', async () => {
    const input = question('[[tokens:30@20]] Too late', { model: 'gpt-4' });
    await alice.api.messages.ask(input);
    await expect.poll(() => stored(input.generationId)).toBeGreaterThan(1);
    const taken = { owner: randomUUID(), epoch: 2, leaseUntil: sql`now() + interval '1 hour'` };
    await services.deps.db.query.update(generations).set(taken).where(eq(generations.id, input.generationId));
    await new Promise((resolve) => setTimeout(resolve, 900));
    expect(await row(input.replyId)).toMatchObject({ parts: [], unfinished: true });
    expect(await generation(input.generationId)).toMatchObject({ endedAt: null, epoch: 2 });
  });

  it('continues when nobody recovered the run, since the database may have been down', async () => {
    const input = question('[[tokens:40@20]] Still here', { model: 'gpt-4' });
    await alice.api.messages.ask(input);
    const past = { leaseUntil: sql`now() - interval '1 second'` };
    await services.deps.db.query.update(generations).set(past).where(eq(generations.id, input.generationId));
    const last = (await readAll(services, alice.id, input.generationId)).at(-1)?.event;
    expect(last).toMatchObject({ type: 'final', reply: { unfinished: false, finishReason: 'stop' } });
  });
});

describe('an orderly shutdown', () => {
  it('leaves running replies to recovery with their whole text', async () => {
    const neighbour = await openNeighbour({ shutdownGraceMs: 100 });
    neighbours.pop();
    const input = question('Going down', { model: 'fake:never-ending' });
    await neighbour.deps.askService.ask(alice.id, input);
    await expect.poll(() => stored(input.generationId)).toBeGreaterThan(2);
    // Anyone who reads in the process that runs it is sent every word that it has received.
    const reading = readAll({ ...services, deps: neighbour.deps }, alice.id, input.generationId);
    await neighbour.close();
    const entries = await reading;
    const last = entries.at(-1)?.event;
    const reply = last?.type === 'final' ? last.reply : null;
    expect(reply).toMatchObject({ unfinished: true, reason: { type: 'interrupted' } });
    expect(reply && messageText(reply)).toBe(messageText(folded(entries.slice(0, -1), emptyReply())));
  });
});

describe('sweeping', () => {
  it('removes old stop marks and the logs of ended and deleted generations', async () => {
    const { db } = services.deps;
    const ended = await exchange(services, alice.id, question('Over'));
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

async function openNeighbour(timings: Partial<Timings> = {}): Promise<Services> {
  const { config, secrets, db, log } = services.deps;
  const neighbour = await createServices({ config, secrets, db, log, demo: null, takeoverWaitMs: 0, timings });
  neighbours.push(neighbour);
  return neighbour;
}

/** A process with so much time to save a reply, and an exchange whose answer is whole and ends when it is started. */
async function processOfItsOwn(asked: string, { saveMs, saveRetryMs }: { saveMs: number; saveRetryMs: number }) {
  const { db } = services.deps;
  const input = question(asked, { model: 'fake:silent' });
  const created = await services.deps.askService.ask(alice.id, input);
  const { generationId } = input;
  const owner = randomUUID();
  const faults: unknown[] = [];
  const onFault = (error: unknown) => faults.push(error);
  const key = { generationId, userId: alice.id, owner, epoch: 1 };
  await db.query.update(generations).set({ owner }).where(eq(generations.id, generationId));
  await expect.poll(() => services.provider.openStreams()).toBe(0);
  const log = createLog(createLogStore(db, owner), onFault);
  const runs = createRuns(log, { firstTokenMs: 5000, idleMs: 5000, saveMs, saveRetryMs }, onFault);
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
      save: (reply) => finalizeRun(db, key, reply, { input: 1, output: 4, estimated: true }),
    });
  return { log, runs, faults, start, input };
}

/** An exchange as a killed process leaves it: asked, with what it had written of the log, and nobody behind it. */
async function leaveBehind(
  asked: string,
  said: ReturnType<typeof textsOf>,
  leaseEnds: 'now' | 'in a second' | 'later' = 'now',
) {
  const { db } = services.deps;
  const input = question(asked, { model: 'fake:silent' });
  await alice.api.messages.ask(input);
  await services.provider.waitForRequest(isAskedAbout(asked));
  await db.query.update(generations).set({ owner: randomUUID() }).where(eq(generations.id, input.generationId));
  await expect.poll(() => services.provider.openStreams()).toBe(0);
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
  const { sql: plain } = services.deps.db;
  await plain`create function refuse() returns trigger as 'begin raise exception ''no''; end' language plpgsql`;
  await plain.unsafe(
    `create trigger refuse before update on messages for each row when (old.id = '${messageId}') execute function refuse()`,
  );
}

/** Takes a run from its living process, as if its lease had ended long ago. */
async function abandon(generationId: string) {
  const lease = { owner: randomUUID(), leaseUntil: sql`now() - interval '1 second'` };
  await services.deps.db.query.update(generations).set(lease).where(eq(generations.id, generationId));
}

async function row(id: string) {
  const [message] = await services.deps.db.query.select().from(messages).where(eq(messages.id, id));
  if (!message) throw new Error('There is no such message');
  return message;
}

/** The reply once it has ended. */
async function settled(id: string) {
  await expect.poll(async () => (await row(id)).finishReason).not.toBeNull();
  return row(id);
}

async function generation(id: string) {
  const [found] = await services.deps.db.query.select().from(generations).where(eq(generations.id, id));
  return found;
}

/** How many rows the log of a generation has in the database. */
function stored(id: string): Promise<number> {
  return services.deps.db.query.$count(generationEvents, eq(generationEvents.generationId, id));
}
