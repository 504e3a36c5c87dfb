// Prices that administrators and the yaml file set: they hold for the next call in every process. Two servers on one
// database.
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { auditEvents, serverSettings } from '@parley/db/tables/administration';
import { generations } from '@parley/db/tables/generations';
import { costInCredits, ratesOfCall } from '@parley/schema/catalog/rates';
import { PRICE_MAX, type Price } from '@parley/schema/catalog/prices';
import { addCredits } from '@parley/server/billing/balances';
import { errorReason } from '@parley/server/http/trpc';
import { desc, eq, like } from 'drizzle-orm';
import OpenAI from 'openai';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { balanceOf, expectBooksToAgree, spendingOf } from '../../support/credits.ts';
import { exchange, question } from '../../support/exchange.ts';
import { createFolder } from '../../support/folders.ts';
import { openHttpClients, type HttpClients } from '../../support/http-clients.ts';
import { type Person, type TestServices } from '../../support/services.ts';

const YAML = `version: 1.0.7
prices:
  Filed: { small: { input: 1, output: 2 }, '*': { input: 10, cachedRead: 2, output: 20 } }
endpoints:
  custom:
    - { name: Local, apiKey: k, baseURL: '\${FAKE}/v1', models: { default: [llama3, gpt-4o, o3] }, titleModel: current_model }
    - { name: Filed, apiKey: k, baseURL: '\${FAKE}/v1', models: { default: [small, large] }, titleConvo: false }
    - { name: OpenRouter, apiKey: k, baseURL: '\${FAKE}/api/v1', models: { default: [a], fetch: true }, titleConvo: false }
`;
const FREE = { prompt: 0, completion: 0, cachedRead: 0, cachedWrite: 0 };
const PLENTY = 10_000_000_000;

let clients: HttpClients;
let services: TestServices;
let neighbour: Pick<TestServices, 'deps' | 'close'>;
let admin: Person;
let bob: Person;

beforeAll(async () => {
  const CONFIG_PATH = join(createFolder(), 'parley.yaml');
  writeFileSync(CONFIG_PATH, YAML);
  const env = {
    CONFIG_PATH,
    FAKE: '${FAKE_PROVIDER}',
    CHECK_BALANCE: 'true',
    OPENAI_MODELS: 'gpt-4o,house-model',
    GOOGLE_KEY: 'k',
    GOOGLE_REVERSE_PROXY: '${FAKE_PROVIDER}',
    GOOGLE_MODELS: 'gemini-next-unheard',
    EMBEDDINGS_ENDPOINT: 'openAI',
  };
  clients = await openHttpClients({ env });
  services = clients.services;
  neighbour = await services.beside({});
  admin = await services.as('alice', 'ADMIN');
  bob = await services.as('bob');
  await addCredits(services.deps.db, bob.id, PLENTY);
});
afterEach(async () => {
  await services.deps.db.query.delete(serverSettings).where(like(serverSettings.name, 'prices:%'));
  await Promise.all([services.deps.prices.reload(), neighbour.deps.prices.reload()]);
});
afterAll(async () => {
  await neighbour.close();
  await clients.close();
});

const list = (name: string) => admin.api.admin.providers.prices({ name });

async function set(name: string, model: string, price: Price): Promise<void> {
  const { version } = await list(name);
  await admin.api.admin.providers.setPrice({ name, model, price, version });
}

async function textOf(call: Promise<unknown>): Promise<string> {
  const reason = await call.then(
    () => null,
    (error: unknown) => errorReason(error as Error),
  );
  if (!reason || !('text' in reason)) throw new Error(`It ended with ${reason?.type ?? 'success'}`);
  return `${reason.type}: ${reason.text}`;
}

/** What an answer of this process used, and what it cost. */
async function ask(endpoint: string, model: string, by: Pick<TestServices, 'deps'> = services, text = 'How dear?') {
  const { reply } = await exchange({ ...services, deps: by.deps }, bob.id, question(text, { endpoint, model }));
  const [row] = await services.deps.db.query
    .select()
    .from(generations)
    .where(eq(generations.id, reply.generationId ?? ''));
  const usage = reply.usage ?? { input: -1, output: -1 };
  return { usage, credits: row?.credits, reply };
}

describe('a local server', () => {
  it.each(['llama3', 'gpt-4o', 'o3'])('is free until its model %s has a price', async (model) => {
    const { usage, credits } = await ask('Local', model);
    expect(usage).toMatchObject({ rates: FREE });
    expect(usage.input).toBeGreaterThan(0);
    expect(credits).toBe(0);
    await set('Local', '*', { input: 4, output: 8 });
    const priced = await ask('Local', model);
    expect(priced.usage).toMatchObject({ rates: { prompt: 4, completion: 8 } });
    expect(priced.credits).toBe(4 * priced.usage.input + 8 * priced.usage.output);
    await expectBooksToAgree(services.deps.db, bob.id);
  });

  it('is charged nothing for a title, and the page says that it is free', async () => {
    const { reply } = await ask('Local', 'llama3');
    const titles = () =>
      services.deps.db.query
        .select()
        .from(generations)
        .where(eq(generations.convoId, reply.conversationId))
        .then((rows) => rows.filter(({ kind }) => kind === 'title'));
    await expect.poll(titles).toMatchObject([{ credits: 0, usage: { rates: FREE } }]);
    expect(await list('Local')).toEqual({ version: 0, isLocal: true, rows: [] });
    expect(await list('openAI')).toMatchObject({ isLocal: false });
    expect(await list('OpenRouter')).toMatchObject({ isLocal: false });
  });
});

describe('a person without credits', () => {
  it('is answered by a local server, with a title, until it has a price', async () => {
    const carol = await services.as('carol');
    const asked = () => question('May I?', { endpoint: 'Local', model: 'llama3' });
    const { reply } = await exchange(services, carol.id, asked());
    expect(reply.reason).toBeNull();
    const rows = () => services.deps.db.query.select().from(generations).where(eq(generations.userId, carol.id));
    await expect.poll(async () => (await rows()).map(({ kind, credits }) => `${kind} ${credits}`)).toContain('title 0');
    await set('Local', 'llama3', { input: 1, output: 1 });
    const refused = await carol.api.messages.ask(asked()).catch((error: Error) => errorReason(error));
    expect(refused).toMatchObject({ type: 'token_balance' });
  });
});

describe('a model that nobody knows', () => {
  it.each([
    ['google', 'gemini-next-unheard'],
    ['openAI', 'house-model'],
  ])('of %s has an estimated price', async (endpoint, model) => {
    const { usage, credits, reply } = await ask(endpoint, model);
    expect(reply.reason).toBeNull();
    expect(usage.rates).toBeUndefined();
    const type = endpoint === 'google' ? 'google' : 'openAI';
    expect(credits).toBe(costInCredits(usage, ratesOfCall({ endpointType: type, model })));
    expect(credits).toBeGreaterThan(0);
  });

  it('is told from others in the usage of everybody, of a person and of a provider', async () => {
    await ask('openAI', 'house-model');
    await ask('Local', 'llama3');
    await ask('Filed', 'large');
    const isGuess = (rows: { endpoint?: string; model?: string | null; kind?: string; unpriced: number }[]) =>
      Object.fromEntries(
        rows
          .filter(({ kind }) => kind !== 'title')
          .map(({ endpoint, model, unpriced }) => [`${endpoint} ${model}`, unpriced > 0]),
      );
    const expected = { 'openAI house-model': true, 'Local llama3': false, 'Filed large': false };
    const { rows, total } = await admin.api.admin.usage.list({ by: 'model' });
    expect(isGuess(rows)).toMatchObject(expected);
    expect(total.unpriced).toBeGreaterThan(0);
    const own = await bob.api.usage.mine({});
    expect(isGuess(own.models)).toMatchObject(expected);
    expect(own.days.some(({ unpriced }) => unpriced > 0)).toBe(true);
    const providers = await admin.api.admin.providers.list();
    const months = Object.fromEntries(providers.map(({ name, isMonthEstimate }) => [name, isMonthEstimate]));
    expect(months).toMatchObject({ openAI: true, Local: false, Filed: false });
  });
});

describe('a price that an administrator saves', () => {
  it('changes the next call in both processes, and its removal does, too', async () => {
    const both = [services, neighbour];
    for (const process of both) expect((await ask('openAI', 'gpt-4o', process)).usage.rates).toBeUndefined();
    await set('openAI', 'gpt-4o', { input: 100, cachedRead: 7, cachedWrite: 110, output: 300 });
    const rates = { prompt: 100, cachedRead: 7, cachedWrite: 110, completion: 300 };
    const isSeen = () => neighbour.deps.prices.find('openAI', 'gpt-4o');
    await expect.poll(isSeen).toEqual(rates);
    for (const process of both) {
      const { usage, credits, reply } = await ask('openAI', 'gpt-4o', process);
      expect(usage).toMatchObject({ rates });
      expect(credits).toBe(100 * usage.input + 300 * usage.output);
      const spent = await spendingOf(services.deps.db, bob.id, reply.generationId ?? '');
      expect(spent).toMatchObject([
        { tokenType: 'prompt', rate: 100 },
        { tokenType: 'completion', rate: 300 },
      ]);
    }
    const { version } = await list('openAI');
    await admin.api.admin.providers.removePrice({ name: 'openAI', model: 'gpt-4o', version });
    await expect.poll(isSeen).toBeUndefined();
    for (const process of both) expect((await ask('openAI', 'gpt-4o', process)).usage.rates).toBeUndefined();
    await expectBooksToAgree(services.deps.db, bob.id);
  });

  it('is charged for cached tokens, which follow from the model where it does not say', async () => {
    await set('openAI', 'gpt-4o', { input: 100, output: 300 });
    const told = '[[usage-told:9000,700,8192,300]] Cached?';
    // gpt-4o reads its cache for half of the price.
    expect((await ask('openAI', 'gpt-4o', services, told)).credits).toBe(808 * 100 + 8192 * 50 + 700 * 300);
    await set('openAI', 'gpt-4o', { input: 100, cachedRead: 1, output: 300 });
    expect((await ask('openAI', 'gpt-4o', services, told)).credits).toBe(808 * 100 + 8192 + 700 * 300);
    await set('openAI', '*', { input: 5, output: 6 });
    const { credits } = await ask('openAI', 'house-model', services, told);
    expect(credits).toBe(9000 * 5 + 700 * 6);
  });

  it('goes before what the provider reports, and a model of its own before every model', async () => {
    const model = 'meta-llama/llama-3-70b-instruct';
    expect((await ask('OpenRouter', model)).usage).toMatchObject({ rates: { prompt: 0.59 } });
    await set('OpenRouter', '*', { input: 2, output: 3 });
    expect((await ask('OpenRouter', model)).usage).toMatchObject({ rates: { prompt: 2, completion: 3 } });
    await set('OpenRouter', model, { input: 0, output: 0 });
    expect(await ask('OpenRouter', model)).toMatchObject({
      credits: 0,
      usage: { rates: { prompt: 0, completion: 0 } },
    });
    expect((await list('OpenRouter')).rows.map(({ model: name }) => name)).toEqual(['*', model]);
  });

  it('is reserved, and an answer that runs keeps the price it began with', async () => {
    await set('openAI', '*', { input: 1000, output: 1000 });
    const input = question('[[never-ending]] Dear?', { endpoint: 'openAI', model: 'house-model' });
    await bob.api.messages.ask(input);
    await services.provider.waitForRequest(({ body }) => JSON.stringify(body ?? null).includes('Dear?'));
    expect((await balanceOf(services.deps.db, bob.id)).reserved).toBeGreaterThan(1024 * 1000);
    await set('openAI', '*', { input: 1, output: 1 });
    await bob.api.messages.abort({ generationId: input.generationId });
    const spent = await spendingOf(services.deps.db, bob.id, input.generationId);
    expect(spent[0]).toMatchObject({ tokenType: 'prompt', rate: 1000 });
    await expectBooksToAgree(services.deps.db, bob.id);
  });

  it('holds for calls of programs, of embeddings too, and counts for the limit of their key and for a budget', async () => {
    const { key, id } = await bob.api.apiKeys.create({
      name: 'Script',
      scopes: ['chat', 'embeddings'],
      monthlyCredits: PLENTY,
    });
    const client = new OpenAI({ baseURL: `http://${clients.host}/v1`, apiKey: key, maxRetries: 0 });
    await set('openAI', '*', { input: 50, output: 70 });
    const messages = [{ role: 'user' as const, content: 'Well?' }];
    const { usage } = await client.chat.completions.create({ model: 'openAI/house-model', messages });
    const model = 'openAI/text-embedding-3-small';
    const { usage: embedded } = await client.embeddings.create({ model, input: 'Some words' });
    const cost = 50 * (usage?.prompt_tokens ?? 0) + 70 * (usage?.completion_tokens ?? 0) + 50 * embedded.prompt_tokens;
    const spent = async () => (await bob.api.apiKeys.list()).find((one) => one.id === id)?.spentCredits;
    await expect.poll(spent).toBe(cost);
    await set('Local', '*', { input: 1_000, output: 1_000 });
    const budget = { scope: 'person', email: 'bob@example.com', credits: 1_000, period: 'day', version: null } as const;
    await admin.api.admin.usage.setBudget(budget);
    const more = question('More?', { endpoint: 'Local', model: 'llama3' });
    expect(await bob.api.messages.ask(more).catch((error: Error) => errorReason(error))).toMatchObject({
      type: 'budget',
    });
    const [row] = await admin.api.admin.usage.budgets();
    await admin.api.admin.usage.removeBudget({ id: row?.id ?? '', version: row?.version ?? 0 });
  });

  it('is told in the log, with the one before', async () => {
    const lastEvent = async () =>
      (await services.deps.db.query.select().from(auditEvents).orderBy(desc(auditEvents.id)).limit(1))[0];
    await set('openAI', 'gpt-4o', { input: 1, output: 2 });
    const details = { name: 'openAI', model: 'gpt-4o', input: 1, cachedRead: null, cachedWrite: null, output: 2 };
    expect(await lastEvent()).toMatchObject({ event: 'provider.price_set', actorId: admin.id, details });
    await set('openAI', 'gpt-4o', { input: 3, output: 4 });
    const before = { inputBefore: 1, outputBefore: 2 };
    expect(await lastEvent()).toMatchObject({ details: { ...details, input: 3, output: 4, ...before } });
    await admin.api.admin.providers.removePrice({ name: 'openAI', model: 'gpt-4o', version: 2 });
    expect(await lastEvent()).toMatchObject({
      event: 'provider.price_removed',
      details: { name: 'openAI', model: 'gpt-4o' },
    });
  });
});

describe('a price that is refused', () => {
  const price = { input: 1, output: 2 };

  it.each([-1, NaN, Infinity, PRICE_MAX + 0.01, 1e300, '3', null])(
    'as %s loses none of those that are set',
    async (bad) => {
      await set('openAI', 'gpt-4o', price);
      const before = await list('openAI');
      for (const field of ['input', 'output', 'cachedRead', 'cachedWrite'] as const) {
        const odd = { ...price, [field]: bad as number };
        const said = await textOf(
          admin.api.admin.providers.setPrice({ name: 'openAI', model: 'gpt-4o', price: odd, version: before.version }),
        );
        expect(said).toBe(
          'invalid_input: A price must be a number of US dollars for a million tokens, from 0 to 10000.',
        );
      }
      expect(await list('openAI')).toEqual(before);
    },
  );

  it('has a model, and is for a provider that counts tokens', async () => {
    const say = (name: string, model: string) =>
      textOf(admin.api.admin.providers.setPrice({ name, model, price, version: 0 }));
    expect(await say('openAI', '  ')).toContain('Name a model');
    expect(await say('openAI', 'x'.repeat(300))).toContain('must not be longer');
    expect(await say('openAI', 'two\nlines')).toContain('must be one line');
    expect(await say('Nobody', 'a')).toContain('There is no such provider.');
    expect(await say('gptPlugins', 'a')).toContain('The prices of its provider hold for plugins.');
  });

  it('was read before another administrator changed it', async () => {
    const both = [1, 2].map((input) =>
      admin.api.admin.providers
        .setPrice({ name: 'openAI', model: `m${input}`, price: { input, output: input }, version: 0 })
        .then(
          () => 'saved',
          (error: unknown) => errorReason(error as Error)?.type,
        ),
    );
    expect((await Promise.all(both)).toSorted()).toEqual(['conflict', 'saved']);
    expect((await list('openAI')).rows).toHaveLength(1);
    const again = admin.api.admin.providers.removePrice({ name: 'openAI', model: 'm1', version: 7 });
    expect(await textOf(again)).toContain('conflict');
  });

  it('is set by a person who is no administrator', async () => {
    const { providers } = bob.api.admin;
    const calls = [
      () => providers.prices({ name: 'openAI' }),
      () => providers.setPrice({ name: 'openAI', model: 'a', price, version: 0 }),
      () => providers.removePrice({ name: 'openAI', model: 'a', version: 0 }),
    ];
    for (const call of calls) await expect(call()).rejects.toMatchObject({ cause: { reason: { type: 'forbidden' } } });
  });

  it.each(['__proto__', 'constructor', 'toString', '*'])('is not that of a model named %s', async (model) => {
    await set('openAI', model, { input: 1.25, cachedRead: 0, output: 2 });
    const rows = [{ model, price: { input: 1.25, cachedRead: 0, output: 2 }, source: 'saved' }];
    expect((await list('openAI')).rows).toEqual(rows);
    expect(services.deps.prices.find('openAI', model)).toEqual({ prompt: 1.25, cachedRead: 0, completion: 2 });
  });
});

describe('a price of the yaml file', () => {
  it('holds, and no administrator changes it', async () => {
    expect((await ask('Filed', 'small')).usage).toMatchObject({ rates: { prompt: 1, completion: 2 } });
    expect((await ask('Filed', 'large')).usage).toMatchObject({ rates: { prompt: 10, cachedRead: 2, completion: 20 } });
    const change = { name: 'Filed', model: 'small', version: 0 };
    const fixed = 'invalid_input: The configuration file of this server sets this price, and wins.';
    expect(await textOf(admin.api.admin.providers.setPrice({ ...change, price: { input: 5, output: 5 } }))).toBe(fixed);
    expect(await textOf(admin.api.admin.providers.removePrice(change))).toBe(fixed);
    await set('Filed', 'large', { input: 7, output: 8 });
    expect((await ask('Filed', 'large')).usage).toMatchObject({ rates: { prompt: 7, completion: 8 } });
    expect((await list('Filed')).rows).toEqual([
      { model: '*', price: { input: 10, cachedRead: 2, output: 20 }, source: 'yaml' },
      { model: 'large', price: { input: 7, output: 8 }, source: 'saved' },
      { model: 'small', price: { input: 1, output: 2 }, source: 'yaml' },
    ]);
  });
});

describe('the prices of a provider', () => {
  it('hold for the assistants that it answers for', async () => {
    await set('openAI', 'gpt-4o', { input: 9, output: 10 });
    const { assistantId } = await bob.api.assistants.create({ name: 'Helper', model: 'gpt-4o', endpoint: 'openAI' });
    const input = question('Help?', { endpoint: 'assistants', settings: { assistant_id: assistantId } });
    const { reply } = await exchange(services, bob.id, { ...input, conversationId: randomUUID() });
    expect(reply.usage).toMatchObject({ rates: { prompt: 9, completion: 10 } });
  });
});
