// Credits that running answers have reserved are not used up: what they do not need comes back.
import { randomUUID } from 'node:crypto';
import { budgets as budgetsTable } from '@parley/db/tables/balances';
import { generations } from '@parley/db/tables/generations';
import { creditsFor } from '@parley/schema/catalog/rates';
import { addCredits } from '@parley/server/billing/balances';
import { errorReason } from '@parley/server/http/trpc';
import { eq, isNull } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { expectBooksToAgree } from '../../support/credits.ts';
import { exchange, question, readAll } from '../../support/exchange.ts';
import { openHttpClients, type HttpClients } from '../../support/http-clients.ts';
import { openTestServices, type Person } from '../../support/services.ts';

/** Of models without a price of their own. */
const RATE = 6;
const REPLY_RESERVE = 1024;

let clients: HttpClients;
let admin: Person;
let bob: Person;
let key: string;

beforeAll(async () => {
  clients = await openHttpClients({ env: { TITLE_CONVO: 'false' } });
  admin = await clients.services.as('alice', 'ADMIN');
  bob = await clients.services.as('bob');
  ({ key } = await bob.api.apiKeys.create({ name: 'A script', scopes: ['chat'], monthlyCredits: null }));
});
afterEach(async () => {
  const { db, askService, budgets } = clients.services.deps;
  const running = await db.query.select().from(generations).where(isNull(generations.endedAt));
  await Promise.all(running.map(({ id, userId }) => askService.stop(userId, id)));
  await db.query.delete(budgetsTable);
  await db.query.delete(generations);
  await budgets.reload();
});
afterAll(() => clients.close());

async function setBudget(credits: number): Promise<void> {
  const budget = { scope: 'person', email: 'bob@example.com', period: 'month', version: null } as const;
  await admin.api.admin.usage.setBudget({ ...budget, credits });
}

function call(over: object = {}): Promise<Response> {
  const body = { model: 'openAI/fake:plain', messages: [{ role: 'user', content: 'Hello' }], ...over };
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  return fetch(`http://${clients.host}/v1/chat/completions`, { method: 'POST', headers, body: JSON.stringify(body) });
}

describe('a call of a program', () => {
  it.each(['max_tokens', 'max_completion_tokens'])('reserves no more than its %s', async (name) => {
    await setBudget(10 * creditsFor(REPLY_RESERVE, RATE));
    const responses = await Promise.all(Array.from({ length: 100 }, () => call({ [name]: 16 })));
    expect(responses.map(({ status }) => status)).toEqual(Array(100).fill(200));
  });

  it('is told to come back soon when running answers have reserved the rest of a budget', async () => {
    await setBudget(1000);
    const running = question('Hello', { model: 'fake:silent' });
    await clients.services.deps.askService.ask(bob.id, running);
    const refused = await call();
    const { error } = (await refused.json()) as { error: { code: string; message: string } };
    expect([refused.status, error.code]).toEqual([429, 'rate_limit_exceeded']);
    expect(error.message).toContain('reserved');
    expect(error.message).not.toContain('used up');
    expect(refused.headers.get('x-should-retry')).toBeNull();
    const seconds = Number(refused.headers.get('retry-after'));
    expect(seconds).toBeGreaterThanOrEqual(5);
    expect(seconds).toBeLessThanOrEqual(15);
    const asked = await clients.services.deps.askService.ask(bob.id, question('Hello')).catch(errorReason);
    expect(asked).toMatchObject({ type: 'credits_reserved' });
    await clients.services.deps.askService.stop(bob.id, running.generationId);
    expect((await call()).status).toBe(200);
  });

  it('is told that a budget is used up when it is', async () => {
    await exchange(clients.services, bob.id, question('Hello'));
    await setBudget(1);
    const refused = await call();
    const { error } = (await refused.json()) as { error: { code: string; message: string } };
    expect([refused.status, error.code, refused.headers.get('x-should-retry')]).toEqual([
      429,
      'insufficient_quota',
      'false',
    ]);
    expect(error.message).toContain('used up');
  });
});

it('four answers side by side, of which one alone would reserve all credits, all run', async () => {
  const provider = { ANTHROPIC_API_KEY: 'k', ANTHROPIC_REVERSE_PROXY: '${FAKE_PROVIDER}' };
  const env = { ...provider, ANTHROPIC_MODELS: 'claude-3-opus-20240229', CHECK_BALANCE: 'true', TITLE_CONVO: 'false' };
  const services = await openTestServices(env);
  try {
    const { db } = services.deps;
    const carol = await services.as('carol');
    await addCredits(db, carol.id, 20_000);
    const target = { kind: 'send', messageId: randomUUID(), parentMessageId: null, text: 'Who?' } as const;
    const asks = Array.from({ length: 4 }, () => ({
      generationId: randomUUID(),
      replyId: randomUUID(),
      endpoint: 'anthropic',
      settings: {},
      target,
      model: 'claude-3-opus-20240229',
    }));
    await carol.api.messages.askMany({ conversationId: randomUUID(), asks });
    for (const { generationId } of asks) {
      const last = (await readAll(services, carol.id, generationId)).at(-1)?.event;
      expect(last).toMatchObject({ type: 'final', reply: { reason: null, finishReason: 'stop' } });
    }
    const rows = await db.query.select().from(generations).where(eq(generations.userId, carol.id));
    expect(rows.every(({ credits }) => (credits ?? 0) > 0)).toBe(true);
    await expectBooksToAgree(db, carol.id);
  } finally {
    await services.close();
  }
});
