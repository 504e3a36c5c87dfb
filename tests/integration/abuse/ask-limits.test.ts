// How much one may ask, over several processes on one database.
import { randomUUID } from 'node:crypto';
import { generations } from '@parley/db/tables/generations';
import { limits, violations } from '@parley/db/tables/limits';
import type { Reason } from '@parley/schema/reasons';
import { Refusal } from '@parley/server/platform/errors';
import { createServices, type Services } from '@parley/server/services';
import { eq, isNull, sql } from 'drizzle-orm';
import { afterEach, describe, expect, it } from 'vitest';
import { exchange, question, readAll } from '../../support/exchange.ts';
import { openTestServices, type TestServices } from '../../support/services.ts';

/** A window that no test outlives, unless it begins in the last moments of the day. */
const A_DAY = '1440';

const opened: TestServices[] = [];
const neighbours: Services[] = [];

afterEach(async () => {
  // A server that closes waits for what is running.
  for (const services of opened) await stopAll(services);
  for (const neighbour of neighbours.splice(0)) await neighbour.close();
  for (const services of opened.splice(0)) await services.close();
});

describe('limits of simultaneous messages', () => {
  const atMost = (max: number) => ({ LIMIT_CONCURRENT_MESSAGES: 'true', CONCURRENT_MESSAGE_MAX: String(max) });

  it('hold for any number of simultaneous asks, across processes', async () => {
    const services = await openWith(atMost(2));
    const neighbour = await openNeighbour(services);
    const { id } = await services.as('alice');
    const asks = Array.from({ length: 20 }, () => question('Hello', { model: 'fake:silent' }));
    const outcomes = await Promise.all(asks.map((input, n) => reasonOf(n % 2 ? services : neighbour, id, input)));
    expect(outcomes.filter((reason) => reason === null)).toHaveLength(2);
    for (const reason of outcomes) if (reason) expect(reason).toEqual({ type: 'concurrent', limit: 2 });
    expect(await runningOf(services, id)).toBe(2);
  });

  it('free a slot when a run ends, and never refuse a stop', async () => {
    const services = await openWith(atMost(1));
    const { id, api } = await services.as('alice');
    const first = question('Hello', { model: 'fake:silent' });
    expect(await reasonOf(services, id, first)).toBeNull();
    expect(await reasonOf(services, id, question('And me?'))).toEqual({ type: 'concurrent', limit: 1 });
    expect(await api.messages.abort({ generationId: first.generationId })).not.toBeNull();
    expect(await reasonOf(services, id, question('And me?'))).toBeNull();
  });

  it('are separate for each user', async () => {
    const services = await openWith(atMost(1));
    const [alice, bob] = [await services.as('alice'), await services.as('bob')];
    expect(await reasonOf(services, alice.id, question('Hello', { model: 'fake:silent' }))).toBeNull();
    expect(await reasonOf(services, bob.id, question('Hello', { model: 'fake:silent' }))).toBeNull();
  });

  it('do not count a run of a dead process once its lease has expired', async () => {
    const services = await openWith(atMost(1));
    const { id } = await services.as('alice');
    const dead = question('Hello', { model: 'fake:silent' });
    await reasonOf(services, id, dead);
    const lost = { owner: randomUUID(), leaseUntil: sql`now() - interval '1 second'` };
    await services.deps.db.query.update(generations).set(lost).where(eq(generations.id, dead.generationId));
    expect(await reasonOf(services, id, question('Hello again'))).toBeNull();
  });

  it('treat a repeated ask as the one that runs', async () => {
    const services = await openWith(atMost(1));
    const { id } = await services.as('alice');
    const input = question('Hello', { model: 'fake:silent' });
    const outcomes = await Promise.all([1, 2, 3, 4, 5].map(() => reasonOf(services, id, input)));
    expect(outcomes).toEqual([null, null, null, null, null]);
    expect(await services.deps.db.query.$count(violations)).toBe(0);
  });
});

describe('limits of messages in a window', () => {
  const perUser = (max: number) => ({
    LIMIT_MESSAGE_USER: 'true',
    MESSAGE_USER_MAX: String(max),
    MESSAGE_USER_WINDOW: A_DAY,
  });
  const perIp = (max: number) => ({ LIMIT_MESSAGE_IP: 'true', MESSAGE_IP_MAX: String(max), MESSAGE_IP_WINDOW: A_DAY });

  it('hold for a user across processes and report when the window ends', async () => {
    const services = await openWith(perUser(3));
    const neighbour = await openNeighbour(services);
    const [alice, bob] = [await services.as('alice'), await services.as('bob')];
    const outcomes = await Promise.all(
      [1, 2, 3, 4, 5].map((n) => reasonOf(n % 2 ? services : neighbour, alice.id, question('Hello'))),
    );
    const refused = outcomes.filter((reason) => reason !== null);
    expect(refused).toHaveLength(2);
    for (const reason of refused) {
      expect(reason).toMatchObject({ type: 'message_limit', max: 3, windowInMinutes: 1440, limiter: 'user' });
      expect(reason.type === 'message_limit' && reason.retryAfterSeconds).toBeGreaterThan(0);
    }
    expect(await reasonOf(services, bob.id, question('Hello'))).toBeNull();
  });

  it('neither count nor refuse a repeated ask', async () => {
    const services = await openWith(perUser(2));
    const { id } = await services.as('alice');
    const input = question('Hello');
    const outcomes = await Promise.all([1, 2, 3, 4, 5].map(() => reasonOf(services, id, input)));
    expect(outcomes).toEqual([null, null, null, null, null]);
    await readAll(services, id, input.generationId);
    expect(await reasonOf(services, id, input)).toBeNull();
    expect(await reasonOf(services, id, question('The second'))).toBeNull();
    expect(await reasonOf(services, id, question('The third'))).toMatchObject({ type: 'message_limit' });
    expect(await reasonOf(services, id, input)).toBeNull();
  });

  it('hold for an address across its users, and separately for another address', async () => {
    const services = await openWith(perIp(2));
    const [alice, bob] = [await services.as('alice'), await services.as('bob')];
    expect(await reasonOf(services, alice.id, question('Hello'), '198.51.100.7')).toBeNull();
    expect(await reasonOf(services, bob.id, question('Hello'), '198.51.100.7')).toBeNull();
    expect(await reasonOf(services, bob.id, question('Hello'), '198.51.100.7')).toMatchObject({
      limiter: 'ip',
      max: 2,
    });
    expect(await reasonOf(services, bob.id, question('Hello'), '198.51.100.8')).toBeNull();
  });

  it('count the network of an IPv6 address, not each address in it', async () => {
    const services = await openWith(perIp(1));
    const { id } = await services.as('alice');
    expect(await reasonOf(services, id, question('Hello'), '2001:db8:1:2::1')).toBeNull();
    expect(await reasonOf(services, id, question('Hello'), '2001:db8:1:2:ffff::9')).toMatchObject({ limiter: 'ip' });
    expect(await reasonOf(services, id, question('Hello'), '2001:db8:1:3::1')).toBeNull();
  });
});

describe('the order of checks', () => {
  it('is concurrent runs, address, user, moderation, endpoint, model', async () => {
    const services = await openWith({
      LIMIT_CONCURRENT_MESSAGES: 'true',
      LIMIT_MESSAGE_IP: 'true',
      LIMIT_MESSAGE_USER: 'true',
      MESSAGE_IP_MAX: '2',
      MESSAGE_IP_WINDOW: A_DAY,
      MESSAGE_USER_MAX: '3',
      MESSAGE_USER_WINDOW: A_DAY,
      OPENAI_MODERATION: 'true',
      OPENAI_MODERATION_API_KEY: 'mod-1',
      OPENAI_MODERATION_REVERSE_PROXY: 'http://127.0.0.1:9/v1/moderations',
    });
    const { id, api } = await services.as('alice');
    const bad = () => question('[[flagged]]', { endpoint: 'openAI', model: 'no-such-model' });
    const typeOf = async (input = bad(), ip = '198.51.100.1') => (await reasonOf(services, id, input, ip))?.type;
    // Its moderation cannot be reached, which is the first thing after the limits.
    expect(await typeOf()).toBe('unavailable');
    const running = question('Hello', { endpoint: 'anthropic' });
    expect(await typeOf(running)).toBe('not_found');
    expect(await reasonOf(services, id, bad(), '198.51.100.1')).toMatchObject({ type: 'message_limit', limiter: 'ip' });
    expect(await typeOf(bad(), '198.51.100.2')).toBe('unavailable');
    expect(await reasonOf(services, id, bad(), '198.51.100.2')).toMatchObject({
      type: 'message_limit',
      limiter: 'user',
    });
    await pretendToRun(services, id);
    expect(await typeOf(bad(), '198.51.100.1')).toBe('concurrent');
    expect(await api.convos.list({})).toMatchObject({ convos: [] });
  });
});

it('limits that are not configured limit and count nothing', async () => {
  const services = await openWith({});
  const { id } = await services.as('alice');
  const asks = Array.from({ length: 15 }, () => question('Hello', { model: 'fake:silent' }));
  expect(await Promise.all(asks.map((input) => reasonOf(services, id, input)))).toEqual(asks.map(() => null));
  expect(await services.deps.db.query.$count(limits)).toBe(0);
  expect(await services.deps.db.query.$count(violations)).toBe(0);
});

it('a refused ask leaves the conversation unchanged', async () => {
  const services = await openWith({ LIMIT_MESSAGE_USER: 'true', MESSAGE_USER_MAX: '1', MESSAGE_USER_WINDOW: A_DAY });
  const { id, api } = await services.as('alice');
  const { convo, reply } = await exchange(services, id, question('Hello'));
  const target = { kind: 'send' as const, messageId: randomUUID(), parentMessageId: reply.messageId, text: 'More' };
  const again = question('More', { conversationId: convo.conversationId, target });
  expect(await reasonOf(services, id, again)).toMatchObject({ type: 'message_limit' });
  expect(await api.messages.list({ conversationId: convo.conversationId })).toHaveLength(2);
  expect((await api.convos.byId({ conversationId: convo.conversationId })).running).toBeNull();
});

async function openWith(env: Record<string, string>): Promise<TestServices> {
  const services = await openTestServices({ TITLE_CONVO: 'false', ...env });
  opened.push(services);
  return services;
}

async function stopAll({ deps }: TestServices): Promise<void> {
  const running = await deps.db.query.select().from(generations).where(isNull(generations.endedAt));
  await Promise.all(running.map(({ id, userId }) => deps.askService.stop(userId, id, AbortSignal.timeout(500))));
}

async function openNeighbour({ deps: { config, secrets, db, log } }: TestServices): Promise<Services> {
  const neighbour = await createServices({ config, secrets, db, log, demo: null });
  neighbours.push(neighbour);
  return neighbour;
}

/** Why an ask was refused; null when it was not. */
async function reasonOf(
  { deps }: Pick<TestServices, 'deps'>,
  userId: string,
  input: ReturnType<typeof question>,
  ip = '203.0.113.5',
): Promise<Reason | null> {
  try {
    await deps.askService.ask(userId, input, { client: { ip, userAgent: 'Mozilla/5.0' } });
    return null;
  } catch (error) {
    if (error instanceof Refusal) return error.reason;
    throw error;
  }
}

function runningOf({ deps }: TestServices, userId: string): Promise<number> {
  return deps.db.query.$count(generations, sql`${generations.userId} = ${userId} and ${generations.endedAt} is null`);
}

/** A generation that some process is running. */
async function pretendToRun({ deps }: TestServices, userId: string): Promise<void> {
  const ids = { id: randomUUID(), convoId: randomUUID(), requestId: randomUUID(), replyId: randomUUID() };
  const leaseUntil = sql`now() + interval '1 hour'`;
  await deps.db.query
    .insert(generations)
    .values({ ...ids, userId, kind: 'send', endpoint: 'openAI', owner: randomUUID(), leaseUntil });
}
