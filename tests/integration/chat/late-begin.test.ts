// Runs whose process is told late that they have begun: however long that takes, they are its own.
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { generations } from '@parley/db/tables/generations';
import { messageText } from '@parley/schema/messages/messages';
import { createApp } from '@parley/server/app';
import { LEASE_SECONDS } from '@parley/server/chat/log-store';
import { recoverExpiredRuns } from '@parley/server/chat/recovery';
import { loadConfig } from '@parley/server/load-config';
import { refuse } from '@parley/server/platform/errors';
import { createServices, type Services } from '@parley/server/services';
import { and, eq, isNull, sql } from 'drizzle-orm';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { exchange, followUp, question, readAll } from '../../support/exchange.ts';
import { createLateDatabase } from '../../support/database.ts';
import { openTestServices, type Person, type TestServices } from '../../support/services.ts';

const SAID = 'Nothing of this may be lost';

interface LateProcess extends Services {
  holdBegin: () => { written: Promise<void>; release(): void };
}

let services: TestServices;
let alice: Person;

beforeAll(async () => {
  services = await openTestServices();
  alice = await services.as('alice');
});
afterAll(() => services.close());

/** Begins in the process and resolves to the text of its answers, once all have ended. */
type Begin = (late: LateProcess) => Promise<string[]>;

const WAYS: Record<string, { begin: Begin; env?: Record<string, string> }> = {
  'a question': { begin: (late) => textOf(late, question(SAID)) },
  'a question in a conversation': {
    async begin(late) {
      const earlier = await exchange(services, alice.id, question('Earlier'));
      return textOf(late, followUp(SAID, earlier));
    },
  },
  'a question that limits are checked for': {
    begin: (late) => textOf(late, question(SAID)),
    env: { LIMIT_CONCURRENT_MESSAGES: 'true', CONCURRENT_MESSAGE_MAX: '9' },
  },
  'another answer': {
    async begin(late) {
      const { convo, request } = await exchange(services, alice.id, question(SAID));
      const { conversationId } = convo;
      const target = { kind: 'regenerate', parentMessageId: request.messageId } as const;
      return textOf(late, question('', { conversationId, target }));
    },
  },
  'a question to several models': {
    async begin(late) {
      const messageId = randomUUID();
      const target = { kind: 'send', messageId, parentMessageId: null, text: SAID } as const;
      const { conversationId, ...first } = question(SAID, { target });
      const { conversationId: _, ...second } = question(SAID, { target, model: 'gpt-4' });
      await late.deps.askService.askMany(alice.id, { conversationId, asks: [first, second] });
      return Promise.all([first, second].map(({ generationId }) => endOf(late, generationId)));
    },
  },
  'a question that waited for an answer': {
    async begin(late) {
      const { convo } = await exchange(services, alice.id, question('Earlier'));
      const { conversationId } = convo;
      await alice.api.queue.add({ id: randomUUID(), conversationId, text: SAID });
      const { sendDueQuestions } = await import('@parley/server/queue/send-due');
      await sendDueQuestions({ db: services.deps.db, askService: late.deps.askService, graceMs: 0 });
      const of = and(eq(generations.convoId, conversationId), eq(generations.owner, late.deps.presence.owner));
      const [run] = await services.deps.db.query.select().from(generations).where(of);
      return [await endOf(late, run?.id ?? '')];
    },
  },
  'a call of a program': { begin: (late) => callOf(late, false) },
  'a call of a program whose answer is streamed': { begin: (late) => callOf(late, true) },
};

describe.each(Object.entries(WAYS))('%s that begins for longer than its lease', (_name, { begin, env }) => {
  it('is not taken by its own process, and ends whole', async () => {
    const late = await openLate(env);
    const { written, release } = late.holdBegin();
    const ended = begin(late);
    await Promise.race([written, ended]);
    const begun = await runs(late);
    await expireLeases(late);
    await look(late);
    expect(await runs(late)).toEqual(begun);
    release();
    for (const text of await ended) expect(text).toContain(SAID);
    expect((await runs(late, 'ended')).every(({ epoch }) => epoch === 1)).toBe(true);
  });

  it('is not taken by another process either, while its own one is alive', async () => {
    const late = await openLate(env);
    const { written, release } = late.holdBegin();
    const ended = begin(late);
    await Promise.race([written, ended]);
    const almost = { leaseUntil: sql`now() + interval '3 seconds'` };
    await services.deps.db.query.update(generations).set(almost).where(ofProcess(late));
    await expect
      .poll(() =>
        services.deps.db.query.$count(
          generations,
          and(ofProcess(late), sql`lease_until < now() + interval '5 seconds'`),
        ),
      )
      .toBe(0);
    expect(await recoverExpiredRuns(services.deps.db, randomUUID())).toBe(0);
    release();
    for (const text of await ended) expect(text).toContain(SAID);
  });
});

describe('the lease of a run', () => {
  it('begins when the run is written, however long its statement has waited for a lock', async () => {
    const { db } = services.deps;
    // As it is written: the lease is renewed soon.
    await db.sql`create table first_leases (id uuid, seconds float)`;
    await db.sql`create function note_lease() returns trigger language plpgsql as 'begin
      insert into first_leases values (new.id, extract(epoch from new.lease_until - clock_timestamp())); return new; end'`;
    await db.sql`create trigger note_lease before insert on generations for each row execute function note_lease()`;
    let unlock = () => {};
    const unlocked = new Promise<void>((resolve) => (unlock = resolve));
    const lock = db.sql.begin(async (tx) => {
      await tx`select from users where id = ${alice.id} for update`;
      await unlocked;
    });
    const input = question(SAID, { model: 'fake:silent' });
    const asking = services.deps.askService.ask(alice.id, input);
    await expect
      .poll(
        () => db.sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
          and clock_timestamp() - query_start > interval '1 second'`,
      )
      .not.toHaveLength(0);
    unlock();
    await Promise.all([lock, asking]);
    const [row] = await db.sql<
      { seconds: number }[]
    >`select seconds from first_leases where id = ${input.generationId}`;
    // One that had begun with the transaction would have lost the second that it waited.
    expect(row?.seconds).toBeGreaterThan(LEASE_SECONDS - 0.9);
    await db.sql`drop function note_lease() cascade`;
    await alice.api.messages.abort({ generationId: input.generationId });
  });
});

describe('a run that nobody begins any more', () => {
  it('is taken by its own process when the ask has failed after it was written', async () => {
    const late = await openLate();
    // As of an ask whose answer was lost with its connection: its process does not hold it.
    const abandoned = question('Forgotten', { model: 'fake:silent' });
    await services.deps.askService.ask(alice.id, abandoned);
    const mine = { owner: late.deps.presence.owner, leaseUntil: sql`now() - interval '1 second'` };
    await services.deps.db.query.update(generations).set(mine).where(eq(generations.id, abandoned.generationId));
    await look(late);
    const { query } = services.deps.db;
    const ended = async () => {
      const [row] = await query.select().from(generations).where(eq(generations.id, abandoned.generationId));
      return row?.endedAt ?? null;
    };
    // The first look of the process, at its start, may have taken it and be ending it.
    await expect.poll(ended).not.toBeNull();
  });
});

async function openLate(env: Record<string, string> = {}): Promise<LateProcess> {
  const { secrets, log } = services.deps;
  const { db, holdBeginOf } = createLateDatabase(services.deps.db);
  const config = await loadConfig({
    env: { ...services.deps.config.env, ...env },
    cwd: services.deps.config.server.dataDir,
  });
  const timings = { recoveryEveryMs: 3_600_000, queueEveryMs: 3_600_000, askTimeoutMs: 60_000, shutdownGraceMs: 0 };
  const late = await createServices({ config, secrets, db, log, demo: null, takeoverWaitMs: 0, timings });
  onTestFinished(() => late.close());
  return { ...late, holdBegin: () => holdBeginOf(late.deps.presence.owner) };
}

/** Has the process look for runs whose lease has ended, as it does of itself from time to time. */
async function look({ deps }: Services): Promise<void> {
  const refused = async () => refuse({ type: 'concurrent', limit: 1 });
  await expect(deps.askService.retryAfterRecovery(refused)).rejects.toThrow();
}

async function textOf(late: LateProcess, input: ReturnType<typeof question>): Promise<string[]> {
  await late.deps.askService.ask(alice.id, input);
  return [await endOf(late, input.generationId)];
}

async function endOf({ deps }: Services, generationId: string): Promise<string> {
  const last = (await readAll({ ...services, deps }, alice.id, generationId)).at(-1)?.event;
  return last?.type === 'final' ? messageText(last.reply) : '';
}

async function callOf(late: LateProcess, stream: boolean): Promise<string[]> {
  const app = createApp(late.deps, '');
  app.server.listen(0, '127.0.0.1');
  await once(app.server, 'listening');
  onTestFinished(() => app.close());
  const { key } = await alice.api.apiKeys.create({ name: 'A script', scopes: ['chat'] });
  const baseURL = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}/v1`;
  const client = new OpenAI({ baseURL, apiKey: key, maxRetries: 0 });
  const asked = { model: 'fake:echo', messages: [{ role: 'user', content: SAID }] } as const;
  if (!stream) {
    const { choices } = await client.chat.completions.create({ ...asked, messages: [...asked.messages] });
    return [choices[0]?.message.content ?? ''];
  }
  let text = '';
  const chunks = await client.chat.completions.create({ ...asked, messages: [...asked.messages], stream: true });
  for await (const { choices } of chunks) text += choices[0]?.delta.content ?? '';
  return [text];
}

function ofProcess({ deps }: Services) {
  return and(eq(generations.owner, deps.presence.owner), isNull(generations.endedAt));
}

async function expireLeases(late: Services): Promise<void> {
  const past = { leaseUntil: sql`now() - interval '1 second'` };
  const expired = await services.deps.db.query.update(generations).set(past).where(ofProcess(late)).returning();
  expect(expired).not.toHaveLength(0);
}

async function runs(late: Services, which: 'running' | 'ended' = 'running') {
  const { epoch, endedAt } = generations;
  const where = which === 'running' ? ofProcess(late) : eq(generations.owner, late.deps.presence.owner);
  return services.deps.db.query.select({ epoch, endedAt }).from(generations).where(where);
}
