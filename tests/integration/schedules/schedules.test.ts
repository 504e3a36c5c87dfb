import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '@parley/db/client';
import { scheduleRuns, schedules } from '@parley/db/tables/automation/schedules';
import { users } from '@parley/db/tables/users';
import { SCHEDULES_MAX } from '@parley/schema/schedules/schedule-rules';
import type { SaveSchedule } from '@parley/schema/schedules/schedules';
import { messageText } from '@parley/schema/messages/messages';
import { claimDue } from '@parley/server/schedules/claim-due';
import { askDueSchedules, startSchedules } from '@parley/server/schedules/clock';
import { and, eq, sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { exchange, question } from '../../support/exchange.ts';
import { openTestServices, type Person, type TestServices } from '../../support/services.ts';
import { follow } from '../convos/follow.ts';

const DAILY = { title: 'News', text: 'What is new?', target: { endpoint: 'openAI', model: 'gpt-4' }, timeZone: 'UTC' };
const cron = '0 7 * * *';
const DAY_MS = 24 * 60 * 60_000;

let services: TestServices;
let alice: Person;
let bob: Person;

beforeAll(async () => {
  services = await openTestServices({ TITLE_CONVO: 'false' });
  alice = await services.as('alice');
  bob = await services.as('bob');
});
afterEach(() => services.deps.db.query.delete(schedules));
afterAll(() => services.close());

describe('a schedule', () => {
  it('is listed, changed, paused, resumed and removed, and the other browsers are notified', async () => {
    const feed = await follow(services, alice.id);
    const id = await save();
    await feed.until((change) => change.type === 'schedules');
    expect(await listed(id)).toMatchObject({
      title: 'News',
      cron,
      state: 'on',
      nextAt: expect.any(String),
      lastRun: null,
    });
    await alice.api.schedules.pause({ id });
    expect(await listed(id)).toMatchObject({ state: 'paused', nextAt: null });
    await alice.api.schedules.resume({ id });
    expect(await listed(id)).toMatchObject({ state: 'on', nextAt: expect.stringMatching(/T07:00:00.000Z$/) });
    await alice.api.schedules.save({ id, ...DAILY, title: 'Evening', cron: '0 19 * * *' });
    expect(await listed(id)).toMatchObject({ title: 'Evening', nextAt: expect.stringMatching(/T19:00:00.000Z$/) });
    await alice.api.schedules.remove({ id });
    expect(await alice.api.schedules.list()).toEqual([]);
    await expect(alice.api.schedules.resume({ id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('is refused with a rule that is none, with two times, without a text, and beyond the limit', async () => {
    const at = '2100-01-01T08:00:00Z';
    for (const bad of [
      { cron: '* * * * *' },
      { cron, at },
      { cron: null },
      { cron, text: ' ' },
      { at: '2020-01-01T00:00:00Z' },
    ])
      await expect(save(bad)).rejects.toThrow();
    for (let n = 0; n < SCHEDULES_MAX; n++) await save({ at });
    await expect(save({ at })).rejects.toMatchObject({
      cause: { reason: { text: 'At most 50 schedules can be kept' } },
    });
  });

  it('shows its next times before it is saved', async () => {
    const { preview } = alice.api.schedules;
    const slots = Array.from({ length: 3 }, () => expect.stringMatching(/T22:00:00.000Z$/));
    expect(await preview({ cron: '0 7 * * 1', timeZone: 'Asia/Tokyo' })).toEqual({ slots, reason: null });
    const refused = { slots: [], reason: { type: 'invalid_input', text: 'There is no such time zone' } };
    expect(await preview({ cron: '0 7 * * 1', timeZone: 'Asia/Nowhere' })).toEqual(refused);
  });

  it("names nothing of another's: it begins a conversation of its own person", async () => {
    const hers = await exchange(services, alice.id, question('Hers'));
    const folder = await alice.api.folders.create({ id: randomUUID(), name: 'Hers' });
    const id = randomUUID();
    const named = { convoId: hers.convo.conversationId, folderId: folder.id };
    await bob.api.schedules.save({ id, ...DAILY, cron, ...named });
    const { conversationId } = await bob.api.schedules.runNow({ id });
    expect(await bob.api.convos.byId({ conversationId: conversationId ?? '' })).toMatchObject({ folderId: null });
    expect(await alice.api.messages.list({ conversationId: hers.convo.conversationId })).toHaveLength(2);
  });
});

describe('a slot that is due', () => {
  it('is asked once by any number of servers, into the folder, and the next slot follows from it', async () => {
    const folder = await alice.api.folders.create({ id: randomUUID(), name: 'Reports' });
    const id = await save({ folderId: folder.id });
    const slot = await makeDue(id, 1);
    const other = await services.beside({});
    try {
      await Promise.all([askDue(), askDue(other), askDue(), askDue(other)]);
    } finally {
      await other.close();
    }
    const [run, ...others] = await alice.api.schedules.runs({ id });
    expect([run, others]).toMatchObject([{ slot, state: 'asked', reason: null }, []]);
    const conversationId = run?.convoId ?? '';
    expect(await alice.api.convos.byId({ conversationId })).toMatchObject({ folderId: folder.id, model: 'gpt-4' });
    expect(await questionsOf(conversationId)).toEqual(['What is new?']);
    expect(Date.parse((await listed(id))?.nextAt ?? '')).toBe(nextAfter(slot));
  });

  it('goes below the newest reply of its conversation, which keeps its model, and begins a new one where that is gone', async () => {
    const first = await exchange(services, alice.id, question('First', { model: 'gpt-3.5-turbo' }));
    const { conversationId } = first.convo;
    const id = await save({ convoId: conversationId });
    await makeDue(id, 1);
    await askDue();
    const [, , asked] = await alice.api.messages.list({ conversationId });
    expect(asked).toMatchObject({ parentMessageId: first.reply.messageId });
    await expectIdle(conversationId);
    expect(await alice.api.convos.byId({ conversationId })).toMatchObject({ model: 'gpt-3.5-turbo' });
    await alice.api.convos.remove({ conversationId });
    await makeDue(id, 1);
    await askDue();
    const [run] = await alice.api.schedules.runs({ id });
    expect(run).toMatchObject({ state: 'asked', convoId: expect.not.stringContaining(conversationId) });
    expect(await questionsOf(run?.convoId ?? '')).toEqual(['What is new?']);
  });

  it('is asked again under the same ids when its server died before it was written, and not when that happened', async () => {
    const id = await save();
    await makeDue(id, 1);
    const claimed = await claimDue(services.deps.db);
    expect(claimed.runs).toHaveLength(1);
    await askDue();
    expect((await listed(id))?.lastRun).toMatchObject({ convoId: null });
    await forgetLeases();
    await askDue();
    const convoId = (await listed(id))?.lastRun?.convoId ?? '';
    expect(await questionsOf(convoId)).toEqual(['What is new?']);
    // Written, but not recorded.
    await services.deps.db.query.update(scheduleRuns).set({ convoId: null });
    await forgetLeases();
    await askDue();
    expect((await listed(id))?.lastRun).toMatchObject({ convoId });
    expect(await questionsOf(convoId)).toEqual(['What is new?']);
    // Deleted since: it does not come back.
    await alice.api.convos.remove({ conversationId: convoId });
    await services.deps.db.query.update(scheduleRuns).set({ convoId: null });
    await forgetLeases();
    await askDue();
    expect((await listed(id))?.lastRun).toMatchObject({ state: 'asked', convoId });
    expect((await alice.api.convos.list({})).convos.map((convo) => convo.conversationId)).not.toContain(convoId);
  });

  it('catches up once after days without a server', async () => {
    const id = await save();
    await makeDue(id, 4);
    await askDue();
    const runs = await alice.api.schedules.runs({ id });
    expect(runs.map(({ state }) => state)).toEqual(['asked', 'missed', 'missed', 'missed']);
  });

  it('ends a schedule of one time', async () => {
    const id = await save({ at: '2100-01-01T08:00:00Z' });
    const at = new Date(Date.now() - 60_000).toISOString();
    await services.deps.db.query.update(schedules).set({ at, nextAt: at }).where(eq(schedules.id, id));
    await askDue();
    expect(await listed(id)).toMatchObject({ state: 'ended', nextAt: null, lastRun: { state: 'asked' } });
    await expect(alice.api.schedules.resume({ id })).rejects.toThrow('invalid_input');
  });

  it('is not asked once its person has paused, moved or removed it', async () => {
    const [paused, moved, removed] = [await save(), await save(), await save()];
    for (const id of [paused, moved, removed]) await makeDue(id, 1);
    await alice.api.schedules.pause({ id: paused });
    await alice.api.schedules.save({ id: moved, ...DAILY, cron: '0 19 * * *' });
    await alice.api.schedules.remove({ id: removed });
    await askDue();
    for (const id of [paused, moved]) expect(await alice.api.schedules.runs({ id })).toEqual([]);
  });

  it('is asked once where its person saves it in the same moment', async () => {
    const ids = await Promise.all([1, 2, 3, 4, 5].map(() => save()));
    for (const id of ids) await makeDue(id, 1);
    await Promise.all([askDue(), ...ids.map((id) => alice.api.schedules.save({ id, ...DAILY, cron: '0 19 * * *' }))]);
    await askDue();
    for (const id of ids) {
      expect((await alice.api.schedules.runs({ id })).length).toBeLessThanOrEqual(1);
      expect((await listed(id))?.nextAt).toMatch(/T19:00:00.000Z$/);
    }
  });

  it('goes on where its schedule is removed while it is answered', async () => {
    const id = await save();
    await makeDue(id, 1);
    const removing = alice.api.schedules.remove({ id });
    await Promise.all([askDue(), removing]);
    await askDue();
    expect(await alice.api.schedules.list()).toEqual([]);
    expect(await services.deps.db.query.$count(scheduleRuns)).toBe(0);
  });
});

describe('a schedule of somebody who may not ask', () => {
  it.each([
    ['is disabled', { state: 'disabled' as const }, { state: 'active' as const }],
    ['is banned', { bannedUntil: 'infinity' }, { bannedUntil: null }],
    ['leaves', { deletionDueAt: 'infinity' }, { deletionDueAt: null }],
  ])('does not run while the person %s', async (_, off, on) => {
    const id = await save();
    await makeDue(id, 1);
    const { query } = services.deps.db;
    await query.update(users).set(off).where(eq(users.id, alice.id));
    await askDue();
    await query.update(users).set(on).where(eq(users.id, alice.id));
    expect(await alice.api.schedules.runs({ id })).toEqual([]);
    await askDue();
    expect(await alice.api.schedules.runs({ id })).toHaveLength(1);
  });
});

describe('a schedule that fails', () => {
  it('is paused after five refusals in a row, which are no violations, and says why', async () => {
    const id = await save({ target: { endpoint: 'nowhere', settings: {} } });
    for (let n = 1; n <= 5; n++) {
      expect(await listed(id)).toMatchObject({ state: 'on', failures: n - 1 });
      await makeDue(id, 1);
      await askDue();
    }
    const reason = { type: 'not_found', what: 'endpoint' };
    expect(await listed(id)).toMatchObject({ state: 'paused', failures: 5, lastRun: { state: 'refused', reason } });
    await alice.api.schedules.resume({ id });
    expect(await listed(id)).toMatchObject({ state: 'on', failures: 0 });
  });

  it('is paused after five replies that fail in a row; one that succeeds begins again', async () => {
    const id = await save({ target: { endpoint: 'openAI', model: 'fake:error-401', settings: {} } });
    const failOnce = async () => {
      await makeDue(id, 1);
      await askDue();
      const convoId = (await listed(id))?.lastRun?.convoId ?? '';
      if (convoId !== '') await expectIdle(convoId);
    };
    await failOnce();
    const failed = (await listed(id))?.lastRun;
    expect(failed).toMatchObject({ state: 'asked', reason: { type: expect.any(String) } });
    for (let n = 0; n < 4; n++) await failOnce();
    expect(await listed(id)).toMatchObject({ state: 'on', failures: 4 });
    await failOnce();
    expect(await listed(id)).toMatchObject({ state: 'paused', failures: 5 });
    await alice.api.schedules.save({ id, ...DAILY, cron });
    await failOnce();
    await failOnce();
    expect(await listed(id)).toMatchObject({ state: 'on', failures: 0, lastRun: { reason: null } });
  });

  it('waits for a conversation in which another answer is written, and is asked then', async () => {
    const convoId = randomUUID();
    const input = question('Long', { model: 'fake:silent', conversationId: convoId });
    await alice.api.messages.ask(input);
    // Something to go below.
    const id = await save({ convoId });
    await makeDue(id, 1);
    await askDue();
    expect(await listed(id)).toMatchObject({ state: 'on', failures: 0, lastRun: { state: 'asked', convoId: null } });
    await alice.api.messages.abort({ generationId: input.generationId });
    await expectIdle(convoId);
    await forgetLeases();
    await askDue();
    expect(await questionsOf(convoId)).toEqual(['Long', 'What is new?']);
  });
});

describe('a budget that is used up', () => {
  it('keeps a schedule until the period ends, without counting a failure', async () => {
    const limited = await openTestServices({ TITLE_CONVO: 'false' });
    try {
      const admin = await limited.as('alice', 'ADMIN');
      await admin.api.admin.usage.setBudget({ scope: 'each', credits: 1, period: 'month', version: null });
      const carol = await limited.as('carol');
      const id = randomUUID();
      await carol.api.schedules.save({ id, ...DAILY, cron });
      await makeDue(id, 1, limited);
      await askDue(limited);
      const [shown] = await carol.api.schedules.list();
      const reason = shown?.lastRun?.reason;
      expect(shown).toMatchObject({ state: 'on', failures: 0, lastRun: { state: 'refused' } });
      const renewsAt = reason?.type === 'budget' ? Date.parse(reason.renewsAt) : NaN;
      expect(Date.parse(shown?.nextAt ?? '')).toBe(renewsAt + 7 * 60 * 60_000);
    } finally {
      await limited.close();
    }
  });
});

describe('a server', () => {
  it('that starts asks what was due meanwhile', async () => {
    const id = await save();
    await makeDue(id, 1);
    const started = await services.beside({});
    await expect.poll(async () => (await listed(id))?.lastRun?.convoId ?? null).not.toBeNull();
    await started.close();
  });

  it('asks nothing where nobody has a schedule, learns of one with its commit, and forgets the last one', async () => {
    const statements: string[] = [];
    const { pubsub, askService } = services.deps;
    const db = recording(services.deps.db, statements);
    const timings = { schedulesEveryMs: 5, scheduleLeaseMs: 60_000 };
    const onFault = (error: unknown) => expect.unreachable(String(error));
    const end = startSchedules({ db, pubsub, askService, timings, onFault });
    const isQuiet = async () => {
      const before = statements.length;
      await sleep(100);
      return statements.length === before;
    };
    await expect.poll(isQuiet).toBe(true);
    expect(statements).toEqual(['execute']);
    const id = await save();
    await makeDue(id, 1);
    await expect.poll(async () => (await listed(id))?.lastRun?.convoId ?? null).not.toBeNull();
    expect(await isQuiet()).toBe(false);
    await alice.api.schedules.remove({ id });
    await expect.poll(isQuiet).toBe(true);
    await end();
  });
});

/** Names each query and transaction in `statements`. */
function recording(db: Db, statements: string[]): Db {
  const query = new Proxy(db.query, {
    get(target, name) {
      if (name === 'execute' || name === 'transaction') statements.push(name);
      return Reflect.get(target, name) as unknown;
    },
  });
  return { ...db, query };
}

async function save({ at, ...over }: Partial<SaveSchedule> & { timeZone?: string } = {}): Promise<string> {
  const id = randomUUID();
  await alice.api.schedules.save({ id, ...DAILY, ...(at ? { at } : { cron }), ...over });
  return id;
}

async function listed(id: string) {
  return (await alice.api.schedules.list()).find((schedule) => schedule.id === id);
}

let slots = 0;

/** Its next slot is that of seven o'clock so many days ago, a moment later each time: each is a slot of its own. */
async function makeDue(id: string, days: number, { deps } = services): Promise<string> {
  const now = new Date();
  const today = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate(), 7);
  const newest = today + DAY_MS * (today < now.getTime() - 1000 ? 0 : -1);
  const slot = new Date(newest - (days - 1) * DAY_MS + slots++).toISOString();
  const isOn = and(eq(schedules.id, id), eq(schedules.state, 'on'));
  await deps.db.query.update(schedules).set({ nextAt: slot }).where(isOn);
  return slot;
}

function nextAfter(slot: string): number {
  return Math.floor(Date.parse(slot) / 1000) * 1000 + DAY_MS;
}

/** As when the time of a server that has claimed them is over. */
async function forgetLeases(): Promise<void> {
  await services.deps.db.query.update(scheduleRuns).set({ at: sql`now() - interval '2 minutes'` });
}

function askDue({ deps }: Pick<TestServices, 'deps'> = services): Promise<void> {
  const { db, askService } = deps;
  const timings = { schedulesEveryMs: 1000, scheduleLeaseMs: 60_000 };
  return askDueSchedules({ db, askService, timings }, new AbortController().signal);
}

async function questionsOf(conversationId: string): Promise<string[]> {
  const thread = await alice.api.messages.list({ conversationId });
  return thread.filter((message) => message.isCreatedByUser).map((message) => messageText(message));
}

async function expectIdle(conversationId: string): Promise<void> {
  await expect.poll(async () => (await alice.api.convos.byId({ conversationId })).running).toBeNull();
}
