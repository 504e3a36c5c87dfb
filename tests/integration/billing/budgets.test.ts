// Budgets hold in the transaction that begins an ask, without balances, in all processes.
import { randomUUID } from 'node:crypto';
import { auditEvents } from '@parley/db/tables/administration';
import { budgets as budgetsTable, transactions } from '@parley/db/tables/balances';
import { generations } from '@parley/db/tables/generations';
import { users } from '@parley/db/tables/users';
import type { BudgetPeriod, BudgetScope } from '@parley/schema/reasons';
import { creditsFor } from '@parley/schema/catalog/rates';
import { budgetsLeft } from '@parley/server/billing/budgets/budget-left';
import type { AskedFrom } from '@parley/server/chat/begin/begin';
import { recoverExpiredRuns } from '@parley/server/chat/recovery';
import { createServices, type Services } from '@parley/server/services';
import { errorReason } from '@parley/server/http/trpc';
import { and, desc, eq, isNull, sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { exchange, question, readAll } from '../../support/exchange.ts';
import { openTestServices, type Person, type TestServices } from '../../support/services.ts';

/** Of "Hello" alone: its one token and what a message costs beside its text. */
const PROMPT_TOKENS = 5;
const RATE = 6;
const REPLY_RESERVE = 1024;
const FULL = creditsFor(PROMPT_TOKENS, RATE) + creditsFor(REPLY_RESERVE, RATE);

let services: TestServices;
let neighbour: Services;
let admin: Person;

beforeAll(async () => {
  services = await openTestServices({ TITLE_CONVO: 'false' });
  const { config, secrets, db, log } = services.deps;
  neighbour = await createServices({ config, secrets, db, log, demo: null });
  admin = await services.as('alice', 'ADMIN');
});
afterEach(async () => {
  await services.deps.db.query.delete(budgetsTable);
  await services.deps.db.query.delete(generations);
  await services.deps.db.sql`truncate usage_days, usage_totals`;
  await Promise.all([services.deps.budgets.reload(), neighbour.deps.budgets.reload()]);
});
afterAll(async () => {
  await neighbour.close();
  await services.close();
});

async function setBudget(scope: BudgetScope, credits: number, person?: Person, period: BudgetPeriod = 'month') {
  const email = person && (await emailOf(person));
  await admin.api.admin.usage.setBudget({ scope, credits, period, version: null, ...(email && { email }) });
  await neighbour.deps.budgets.reload();
}

async function emailOf({ id }: Person): Promise<string> {
  const [row] = await services.deps.db.query.select({ email: users.email }).from(users).where(eq(users.id, id));
  return row?.email ?? '';
}

const SILENT = { model: 'fake:silent' };

/** Half of them in the other process. Why each was refused; null for those that began. */
async function askAtOnce(people: readonly Person[], count: number, from: AskedFrom = {}) {
  const asks = Array.from({ length: count }, (_, n) => {
    const { askService } = (n % 2 === 0 ? services : neighbour).deps;
    const id = people[n % people.length]?.id ?? '';
    return askService.ask(id, question('Hello', SILENT), from).then(
      () => null,
      (error: Error) => errorReason(error) ?? Promise.reject(error),
    );
  });
  return Promise.all(asks);
}

async function keyOf(person: Person, monthlyCredits: number | null) {
  const { id, key } = await person.api.apiKeys.create({ name: 'A script', scopes: ['rest'], monthlyCredits });
  return { id, program: (await services.deps.keyHolders.find(key)) ?? undefined };
}

async function stopAll(): Promise<void> {
  const running = await services.deps.db.query
    .select({ id: generations.id, userId: generations.userId })
    .from(generations)
    .where(isNull(generations.endedAt));
  await Promise.all(running.map(({ id, userId }) => services.deps.askService.stop(userId, id)));
  await expect.poll(() => services.deps.db.query.$count(generations, isNull(generations.endedAt))).toBe(0);
}

it('of two hundred asks at once in two processes, exactly the ten begin that the budget of a person covers', async () => {
  const bob = await services.as('bob');
  await setBudget('person', 10 * FULL, bob);
  const reasons = await askAtOnce([bob], 200);
  expect(reasons.filter((reason) => reason === null)).toHaveLength(10);
  const [refused] = reasons.filter((reason) => reason !== null);
  expect(refused).toEqual({ type: 'credits_reserved', retryAfterSeconds: expect.any(Number) });
  expect(new Set(reasons.map((reason) => reason?.type))).toEqual(new Set([undefined, 'credits_reserved']));
  await stopAll();
  const [held] = (await bob.api.usage.mine({})).budgets;
  const spent = await spentBy(bob);
  expect(held).toMatchObject({ spent, left: 10 * FULL - spent });
  expect(spent).toBeLessThan(FULL);
  // Nothing is charged where balances are off.
  expect(await services.deps.db.query.$count(transactions)).toBe(0);
});

it('of two hundred asks at once by a key, exactly the ten begin that its limit covers, and its person is not held', async () => {
  const bob = await services.as('bob');
  const { id, program } = await keyOf(bob, 10 * FULL);
  const reasons = await askAtOnce([bob], 200, { program });
  expect(reasons.filter((reason) => reason === null)).toHaveLength(10);
  expect(new Set(reasons.map((reason) => reason?.type))).toEqual(new Set([undefined, 'credits_reserved']));
  expect(await askAtOnce([bob], 1)).toEqual([null]);
  const [orphan] = await services.deps.db.query.select().from(generations).where(eq(generations.apiKeyId, id)).limit(1);
  await services.deps.db.query
    .update(generations)
    .set({ owner: randomUUID(), leaseUntil: '-infinity' })
    .where(eq(generations.id, orphan?.id ?? ''));
  await recoverExpiredRuns(services.deps.db, randomUUID());
  await stopAll();
  const [key] = await bob.api.apiKeys.list();
  const [sum] = await services.deps.db.query
    .select({ credits: sql<number>`sum(${generations.credits})::float8` })
    .from(generations)
    .where(eq(generations.apiKeyId, id));
  expect(key).toMatchObject({ id, spentCredits: sum?.credits });
  expect(key?.spentCredits).toBeLessThan(FULL);
  await bob.api.apiKeys.revoke({ id });
});

it('a reply to a key ends when the key has spent what is left', async () => {
  const bob = await services.as('bob');
  const { id, program } = await keyOf(bob, 2000);
  const long = question('Hello [[long:9000]]', { model: 'gpt-3.5-turbo' });
  await services.deps.askService.ask(bob.id, long, { program });
  const final = (await readAll(services, bob.id, long.generationId)).at(-1)?.event;
  expect(final).toMatchObject({ type: 'final', reply: { reason: { type: 'token_balance' } } });
  const refused = await services.deps.askService.ask(bob.id, question('Hello'), { program }).catch(errorReason);
  expect(refused).toMatchObject({ type: 'token_balance', balance: 0 });
  await bob.api.apiKeys.revoke({ id });
});

it('of a question to four models, those answer whose prompts a budget covers together; the others fail alone', async () => {
  const bob = await services.as('bob');
  await setBudget('person', 2 * creditsFor(PROMPT_TOKENS, RATE) + 10, bob);
  const target = { kind: 'send', messageId: randomUUID(), parentMessageId: null, text: 'Hello' } as const;
  const asks = Array.from({ length: 4 }, () => ({
    generationId: randomUUID(),
    replyId: randomUUID(),
    endpoint: 'openAI',
    ...SILENT,
    settings: {},
    target,
  }));
  const columns = await bob.api.messages.askMany({ conversationId: randomUUID(), asks });
  expect(columns.map(({ reply }) => reply.reason?.type ?? null)).toEqual([
    null,
    null,
    'credits_reserved',
    'credits_reserved',
  ]);
  await stopAll();
});

async function spentBy({ id }: Person): Promise<number> {
  const [row] = await services.deps.db.query
    .select({ credits: sql<number>`coalesce(sum(${generations.credits}), 0)::int` })
    .from(generations)
    .where(eq(generations.userId, id));
  return row?.credits ?? 0;
}

it('a budget of a group is shared by its members, beside their own, and holds for the people who are in it then', async () => {
  const [bob, carol, dave] = [await services.as('bob'), await services.as('carol'), await services.as('dave')];
  const { id: groupId } = await admin.api.admin.groups.create({ name: 'Readers' });
  for (const { id: userId } of [bob, carol]) await admin.api.admin.groups.addMember({ groupId, userId });
  const budget = { scope: 'group' as const, groupId, period: 'month' as const, version: null };
  await admin.api.admin.usage.setBudget({ ...budget, credits: 10 * FULL });
  expect(services.deps.budgets.concern(bob.id)).toBe(true);
  expect(services.deps.budgets.concern(dave.id)).toBe(false);
  await neighbour.deps.budgets.reload();
  const together = await askAtOnce([bob, carol], 100);
  expect(together.filter((reason) => reason === null)).toHaveLength(10);
  expect(together.find((reason) => reason !== null)).toMatchObject({ type: 'credits_reserved' });
  await stopAll();
  const [held] = (await carol.api.usage.mine({})).budgets;
  expect(held).toMatchObject({ scope: 'group', spent: (await spentBy(bob)) + (await spentBy(carol)) });
  expect((await admin.api.admin.usage.budgets())[0]).toMatchObject({ group: { name: 'Readers' }, spent: held?.spent });

  // Another one of the same group is refused, and one's own is looked at first.
  await expect(admin.api.admin.usage.setBudget({ ...budget, credits: 1 })).rejects.toMatchObject({ code: 'CONFLICT' });
  await setBudget('person', 0, bob);
  expect(await askAtOnce([bob], 1)).toMatchObject([{ type: 'budget', scope: 'person' }]);
  await services.deps.db.query.delete(generations);

  await admin.api.admin.groups.addMember({ groupId, userId: dave.id });
  await expect.poll(() => neighbour.deps.budgets.concern(dave.id)).toBe(true);
  const three = await askAtOnce([dave, carol], 40);
  expect(three.filter((reason) => reason === null)).toHaveLength(10);
  await stopAll();
  const [group] = await admin.api.admin.groups.list();
  expect(group).toMatchObject({ members: 3, budgets: 1 });
  await admin.api.admin.groups.remove({ id: groupId, version: 1 });
  expect(services.deps.budgets.concern(dave.id)).toBe(false);
  expect((await admin.api.admin.usage.budgets()).map(({ scope }) => scope)).toEqual(['person']);
});

it('a budget of all together is shared, and one for each person is each one’s own', async () => {
  const people = [await services.as('bob'), await services.as('carol'), await services.as('dave')];
  await setBudget('all', 10 * FULL);
  const together = await askAtOnce(people, 60);
  expect(together.filter((reason) => reason === null)).toHaveLength(10);
  expect(together.find((reason) => reason !== null)).toMatchObject({ type: 'credits_reserved' });
  await stopAll();
  await services.deps.db.query.delete(budgetsTable);
  await services.deps.db.query.delete(generations);

  await setBudget('each', 2 * FULL, undefined, 'day');
  // Their own stands in its place.
  await setBudget('person', 5 * FULL, people[0], 'day');
  const each = await askAtOnce(people, 60);
  expect(each.filter((reason) => reason === null)).toHaveLength(5 + 2 + 2);
  await stopAll();
});

it('a budget that is lowered among many asks is never passed afterward', async () => {
  const bob = await services.as('bob');
  await setBudget('person', 20 * FULL, bob);
  const email = await emailOf(bob);
  const asks = askAtOnce([bob], 100);
  const lower = { scope: 'person', email, period: 'month', credits: 3 * FULL, version: 1 } as const;
  await admin.api.admin.usage.setBudget(lower);
  const running = () =>
    services.deps.db.query.$count(generations, and(eq(generations.userId, bob.id), isNull(generations.endedAt)));
  const then = await running();
  await asks;
  expect(await running()).toBe(Math.max(3, then));
  await stopAll();
});

it('a reply ends when it has spent what is left, and says why; one that costs nothing is not held', async () => {
  const bob = await services.as('bob');
  await setBudget('person', 2000, bob);
  const long = await exchange(services, bob.id, question('Hello [[long:9000]]', { model: 'gpt-3.5-turbo' }));
  expect(long.reply.reason).toMatchObject({ type: 'budget', scope: 'person' });
  expect(long.reply.parts.length).toBeGreaterThan(0);
  const refused = await bob.api.messages.ask(question('Hello')).catch(errorReason);
  expect(refused).toMatchObject({ type: 'budget', left: 0 });
  await setBudget('person', 0, await services.as('carol'));
  await services.deps.db.query.delete(budgetsTable);
  await services.deps.budgets.reload();
  const { reply } = await exchange(services, bob.id, question('Hello'));
  expect(reply.reason).toBe(null);
});

it('a month begins anew at midnight UTC, and a process that dies keeps nothing reserved', async () => {
  const bob = await services.as('bob');
  const { db } = services.deps;
  await setBudget('person', 5000, bob);
  await exchange(services, bob.id, question('Hello'));
  const end = async (at: string) => db.query.update(generations).set({ credits: 700, endedAt: at });
  const left = async (now: string) => {
    const [one] = await budgetsLeft(db.query, bob.id, { now: new Date(now), isLocking: false });
    return one;
  };
  await end('2026-11-30T23:59:59.999Z');
  expect(await left('2026-11-30T23:59:59.999Z')).toMatchObject({ left: 4300, renewsAt: '2026-12-01T00:00:00.000Z' });
  expect(await left('2026-12-01T00:00:00.000Z')).toMatchObject({ left: 5000, renewsAt: '2027-01-01T00:00:00.000Z' });
  await end('2026-12-01T00:00:00Z');
  expect(await left('2026-12-01T00:00:00.000Z')).toMatchObject({ left: 4300, spent: 700 });
  await bob.api.usage.mine({});
  expect(await left('2026-12-01T00:00:00.000Z')).toMatchObject({ left: 4300, spent: 700 });

  const hello = question('Hello', SILENT);
  await services.deps.askService.ask(bob.id, hello);
  expect(await left('2026-12-01T00:00:00.000Z')).toMatchObject({ left: 0, spent: 700 });
  await db.query
    .update(generations)
    .set({ owner: hello.replyId, leaseUntil: '-infinity' })
    .where(eq(generations.id, hello.generationId));
  await recoverExpiredRuns(db, randomUUID());
  await readAll(services, bob.id, hello.generationId);
  expect((await left('2026-12-01T00:00:00.000Z'))?.left).toBeGreaterThan(4200);
});

it('two administrators at once: the second reads that something has changed; each change is in the log', async () => {
  const bob = await services.as('bob');
  const { usage } = admin.api.admin;
  const email = await emailOf(bob);
  const budget = { scope: 'person', email, period: 'day', credits: 900 } as const;
  await usage.setBudget({ ...budget, version: null });
  await expect(usage.setBudget({ ...budget, version: null })).rejects.toMatchObject({ code: 'CONFLICT' });
  await usage.setBudget({ ...budget, credits: 800, version: 1 });
  await expect(usage.setBudget({ ...budget, credits: 700, version: 1 })).rejects.toMatchObject({ code: 'CONFLICT' });
  const [row] = await usage.budgets();
  expect(row).toMatchObject({ scope: 'person', period: 'day', credits: 800, version: 2, spent: 0, person: { email } });
  const ref = { id: row?.id ?? '', version: 2 };
  await expect(usage.removeBudget({ ...ref, version: 1 })).rejects.toMatchObject({ code: 'CONFLICT' });
  await usage.removeBudget(ref);
  expect(await usage.budgets()).toEqual([]);
  const events = await services.deps.db.query.select().from(auditEvents).orderBy(desc(auditEvents.id)).limit(3);
  expect(events.map(({ event }) => event)).toEqual(['budget.removed', 'budget.set', 'budget.set']);
  expect(events[1]).toMatchObject({ userId: bob.id, details: { credits: 800, period: 'day', email } });
  const nobody = await usage.setBudget({ ...budget, email: 'nobody@example.com', version: null }).catch(errorReason);
  expect(nobody).toMatchObject({ type: 'invalid_input' });
  await expect(usage.setBudget({ ...budget, scope: 'all', version: null })).rejects.toMatchObject({
    code: 'BAD_REQUEST',
  });
});

it('without a budget an ask and its end are as many statements as ever, also by a key without a limit', async () => {
  const bob = await services.as('bob');
  const { id, program } = await keyOf(bob, null);
  const written: string[] = [];
  const { locking } = services.deps.db;
  const execute = locking.execute.bind(locking);
  locking.execute = ((statement: Parameters<typeof execute>[0]) => {
    written.push('one');
    return execute(statement);
  }) as typeof locking.execute;
  await exchange(services, bob.id, question('Hello'));
  // That of the ask, and that of its end.
  expect(written).toHaveLength(2);
  const byKey = question('Hello');
  await services.deps.askService.ask(bob.id, byKey, { program });
  await readAll(services, bob.id, byKey.generationId);
  locking.execute = execute;
  expect(written).toHaveLength(4);
  await expect.poll(() => bob.api.apiKeys.list()).toMatchObject([{ id, spentCredits: expect.any(Number) }]);
  expect((await bob.api.apiKeys.list())[0]?.spentCredits).toBeGreaterThan(0);
});
