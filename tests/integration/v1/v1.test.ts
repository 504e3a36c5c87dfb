// `/v1` as programs use it: by the official client, with its address and a key alone.
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { generations } from '@parley/db/tables/generations';
import { apiKeys, users } from '@parley/db/tables/users';
import { scenarioText } from '@parley/scripts/fake-provider/scenarios';
import { Validator } from '@seriousme/openapi-schema-validator';
import { createKeyHolders } from '@parley/server/api-keys/key-holders';
import { addCredits } from '@parley/server/billing/balances';
import { API_ROWS } from '@parley/server/v1/api-rows';
import { recoverExpiredRuns } from '@parley/server/chat/recovery';
import { createServices } from '@parley/server/services';
import { ChatRequest } from '@parley/server/v1/chat/chat-request';
import { ChatCompletion, Embeddings, Model, Models } from '@parley/server/v1/openapi/answers';
import { and, count, eq, isNull, sql } from 'drizzle-orm';
import OpenAI from 'openai';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { balanceOf, expectBooksToAgree } from '../../support/credits.ts';
import { openHttpClients, type HttpClients } from '../../support/http-clients.ts';
import type { Person, TestServices } from '../../support/services.ts';

type KeyInput = Parameters<Person['api']['apiKeys']['create']>[0];

interface Recorded {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string | null;
}

let clients: HttpClients;
let services: TestServices;
let alice: Person;
let bob: Person;

beforeAll(async () => {
  clients = await openHttpClients({
    env: {
      OPENAI_MODELS:
        'gpt-4o,fake:plain,fake:never-ending,fake:error-429,fake:error-500,fake:error-midstream,fake:tool-parallel',
      ANTHROPIC_API_KEY: 'k',
      ANTHROPIC_REVERSE_PROXY: '${FAKE_PROVIDER}',
      ANTHROPIC_MODELS: 'claude-sonnet-5,fake:tool-parallel',
      GOOGLE_KEY: 'k',
      GOOGLE_REVERSE_PROXY: '${FAKE_PROVIDER}',
      GOOGLE_MODELS: 'gemini-2.5-flash',
      CHECK_BALANCE: 'true',
      EMBEDDINGS_ENDPOINT: 'openAI',
      EMBEDDINGS_MODELS: 'text-embedding-3-large, openAI/BAAI/bge-m3',
    },
  });
  services = clients.services;
  alice = await services.as('alice');
  bob = await services.as('bob');
  await addCredits(services.deps.db, alice.id, 100_000_000);
});
afterAll(() => clients.close());
// Nobody has more than twenty.
afterEach(async () => {
  for (const { id } of await alice.api.apiKeys.list()) await alice.api.apiKeys.revoke({ id });
});

const SCOPES: KeyInput['scopes'] = ['chat', 'embeddings', 'models'];
const hello = [{ role: 'user' as const, content: 'Hello' }];
const baseURL = () => `http://${clients.host}/v1`;

async function keyOf(person = alice, over: Partial<KeyInput> = {}) {
  return person.api.apiKeys.create({ name: 'A script', scopes: SCOPES, ...over });
}

async function clientOf(person = alice, over: Partial<KeyInput> = {}): Promise<OpenAI> {
  return new OpenAI({ baseURL: baseURL(), apiKey: (await keyOf(person, over)).key, maxRetries: 0 });
}

const running = async (userId = alice.id) => {
  const { query } = services.deps.db;
  const where = and(eq(generations.userId, userId), isNull(generations.endedAt));
  const [row] = await query.select({ n: count() }).from(generations).where(where);
  return row?.n;
};

describe('a key', () => {
  it('is seen once, is listed without its value, and opens until it is revoked', async () => {
    const { id, key } = await keyOf(alice, { name: ' My editor ' });
    expect(key).toMatch(/^pk_[0-9A-Za-z]{49}$/);
    const [listed] = await alice.api.apiKeys.list();
    expect(listed).toMatchObject({ id, name: 'My editor', shown: key.slice(0, 8), spentCredits: 0, lastUsedAt: null });
    expect(JSON.stringify(await alice.api.apiKeys.list())).not.toContain(key.slice(8));
    expect((Date.parse(listed?.expiresAt ?? '') - Date.now()) / 86_400_000).toBeCloseTo(90, 0);
    expect(await bob.api.apiKeys.list()).toEqual([]);
    const client = new OpenAI({ baseURL: baseURL(), apiKey: key, maxRetries: 0 });
    await client.models.list();
    await expect.poll(async () => (await alice.api.apiKeys.list())[0]?.lastUsedAt).not.toBeNull();
    await bob.api.apiKeys.revoke({ id });
    await client.models.list();
    await alice.api.apiKeys.revoke({ id });
    await expect(client.models.list()).rejects.toMatchObject({ status: 401, code: 'invalid_api_key' });
    const { query } = services.deps.db;
    const [row] = await query.select().from(apiKeys).where(eq(apiKeys.id, id));
    expect(JSON.stringify(row)).not.toContain(key.slice(8));
  });

  it('opens by either header, and nothing else does', async () => {
    const { key } = await keyOf();
    const status = async (headers: Record<string, string>, path = '/models') => {
      const response = await fetch(`${baseURL()}${path}`, { headers });
      await response.text();
      return response.status;
    };
    const { token } = await clients.signUp('Frank');
    expect(await status({ authorization: `Bearer ${key}` })).toBe(200);
    expect(await status({ 'x-api-key': key })).toBe(200);
    for (const wrong of [key.slice(0, -1), `${key.slice(0, -1)}_`, key.toUpperCase(), 'sk-x', token])
      expect([wrong, await status({ authorization: `Bearer ${wrong}` })]).toEqual([wrong, 401]);
    expect(await status({})).toBe(401);
    expect(await status({ cookie: `refreshToken=${key}; token=${key}` })).toBe(401);
    expect(await status({}, `/models?key=${key}&api_key=${key}&access_token=${key}`)).toBe(401);
    const elsewhere = await fetch(`http://${clients.host}/trpc/apiKeys.list`, {
      headers: { authorization: `Bearer ${key}`, 'x-api-key': key },
    });
    expect(elsewhere.status).toBe(401);
  });

  it('ends by itself, with the access of its person, and with a reset of the password', async () => {
    const { query } = services.deps.db;
    const { id, key } = await keyOf(bob);
    const opens = async () => {
      services.deps.keyHolders.invalidateUser(bob.id);
      await sleep(0);
      const response = await fetch(`${baseURL()}/models`, { headers: { 'x-api-key': key } });
      await response.text();
      return response.status === 200;
    };
    const person = (set: Parameters<ReturnType<typeof query.update>['set']>[0]) =>
      query.update(users).set(set).where(eq(users.id, bob.id));
    expect(await opens()).toBe(true);
    await person({ bannedUntil: sql`now() + interval '1 hour'` });
    expect(await opens()).toBe(false);
    await person({ bannedUntil: null, deletionDueAt: sql`now()` });
    expect(await opens()).toBe(false);
    await person({ deletionDueAt: null, state: 'disabled' });
    expect(await opens()).toBe(false);
    await person({ state: 'active' });
    expect(await opens()).toBe(true);
    await query
      .update(apiKeys)
      .set({ expiresAt: sql`now()` })
      .where(eq(apiKeys.id, id));
    expect(await opens()).toBe(false);
    await expect(keyOf(bob, { expiresAt: new Date(0).toISOString() })).rejects.toMatchObject({
      code: 'UNPROCESSABLE_CONTENT',
    });
  });

  it('ends in other processes, too: revoked as soon as they hear of it, else within five seconds', async () => {
    const { config, secrets, db, log } = services.deps;
    const ban = (until: string | null) =>
      db.query.update(users).set({ bannedUntil: until }).where(eq(users.id, bob.id));
    const banned = await keyOf(bob);
    let now = 0;
    const deaf = createKeyHolders(db, log.error, () => now);
    expect(await deaf.find(banned.key)).toMatchObject({ keyId: banned.id });
    await ban('2200-01-01T00:00:00Z');
    now = 5_000;
    expect(await deaf.find(banned.key)).toBeNull();
    await ban(null);

    const neighbour = await createServices({ config, secrets, db, log, demo: null });
    const revoked = await keyOf(alice);
    expect(await neighbour.deps.keyHolders.find(revoked.key)).toMatchObject({ keyId: revoked.id });
    await alice.api.apiKeys.revoke({ id: revoked.id });
    await expect.poll(() => neighbour.deps.keyHolders.find(revoked.key)).toBeNull();
    await neighbour.close();
  });

  it('does only what it was made for', async () => {
    const client = await clientOf(alice, { scopes: ['models'] });
    const refused = client.chat.completions.create({ model: 'gpt-4o', messages: hello });
    await expect(refused).rejects.toMatchObject({ status: 403, code: 'insufficient_scope' });
    const narrow = await clientOf(alice, { endpoints: ['anthropic'] });
    const ids = (await narrow.models.list()).data.map(({ id }) => id);
    expect(ids).toContain('anthropic/claude-sonnet-5');
    expect(ids.filter((id) => !id.startsWith('anthropic/'))).toEqual([]);
    const elsewhere = narrow.chat.completions.create({ model: 'openAI/gpt-4o', messages: hello });
    await expect(elsewhere).rejects.toMatchObject({ status: 404, code: 'model_not_found' });
  });

  it('is one of twenty at most, however many are made at once', async () => {
    const erin = await services.as('erin');
    const made = await Promise.allSettled(Array.from({ length: 25 }, () => keyOf(erin)));
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(20);
  });
});

describe('models', () => {
  it('are listed and described by the ids that answer', async () => {
    const client = await clientOf();
    const ids = (await client.models.list()).data.map(({ id }) => id);
    expect(ids).toEqual(expect.arrayContaining(['openAI/gpt-4o', 'anthropic/claude-sonnet-5']));
    expect(await client.models.retrieve('openAI/gpt-4o')).toMatchObject({
      id: 'openAI/gpt-4o',
      object: 'model',
      owned_by: 'openAI',
    });
    expect(await client.models.retrieve('gpt-4o')).toMatchObject({ owned_by: 'openAI' });
  });

  it('that are not there, of several endpoints by one name, or another person’s are the same refusal on each path', async () => {
    const client = await clientOf();
    const { assistantId } = await bob.api.assistants.create({ model: 'gpt-4o', endpoint: 'openAI', name: 'Private' });
    const unknown = ['gpt-0', 'openAI/gpt-0', 'openAI#0/gpt-4o', '0', 'fake:tool-parallel', 'asst_x', assistantId];
    const spelled = [assistantId.toUpperCase(), assistantId].map((id) => `assistant/${id}`);
    for (const model of [...unknown, ...spelled, `assistants/${assistantId}`]) {
      await expect(client.models.retrieve(model), model).rejects.toMatchObject({ status: 404 });
      const asked = client.chat.completions.create({ model, messages: hello });
      await expect(asked, model).rejects.toMatchObject({ status: 404, code: 'model_not_found' });
    }
  });
});

describe('chat completions', () => {
  it('are whole, and the same text as a stream, with their usage, charged to the balance and the key', async () => {
    const { id, key } = await keyOf();
    const client = new OpenAI({ baseURL: baseURL(), apiKey: key, maxRetries: 0 });
    const { credits: before } = await balanceOf(services.deps.db, alice.id);
    const whole = await client.chat.completions.create({ model: 'fake:plain', messages: hello });
    const text = scenarioText('plain', undefined, 'Hello');
    expect(whole).toMatchObject({
      object: 'chat.completion',
      model: 'fake:plain',
      choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: text } }],
    });
    expect(whole.usage?.total_tokens).toBe((whole.usage?.prompt_tokens ?? 0) + (whole.usage?.completion_tokens ?? 0));
    const stream = client.chat.completions.stream({
      model: 'openAI/fake:plain',
      messages: hello,
      stream_options: { include_usage: true },
    });
    const streamed = await stream.finalChatCompletion();
    expect(streamed.choices[0]?.message.content).toBe(text);
    expect(streamed.usage).toEqual(whole.usage);
    const spent = before - (await balanceOf(services.deps.db, alice.id)).credits;
    expect(spent).toBeGreaterThan(0);
    expect((await alice.api.apiKeys.list()).find((one) => one.id === id)?.spentCredits).toBe(spent);
    await expectBooksToAgree(services.deps.db, alice.id);
  });

  it('are relayed as they came, with pictures, tools and their results', async () => {
    const client = await clientOf();
    const tool = {
      type: 'function' as const,
      function: {
        name: 'look',
        description: 'Looks.',
        parameters: { type: 'object', properties: { q: { type: 'string' } } },
      },
    };
    const image = {
      type: 'image_url' as const,
      image_url: { url: 'data:image/png;base64,iVBORw0KGgo=', detail: 'low' as const },
    };
    const messages: OpenAI.ChatCompletionMessageParam[] = [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: [{ type: 'text', text: 'call look {"q":"a"}' }, image] },
    ];
    const asked = {
      model: 'openAI/fake:tool-parallel',
      messages,
      tools: [tool],
      seed: 7,
      max_tokens: 50,
      response_format: { type: 'text' as const },
    };
    const { choices } = await client.chat.completions.create(asked);
    const [choice] = choices;
    expect(choice?.finish_reason).toBe('tool_calls');
    expect(choice?.message.tool_calls?.[0]).toMatchObject({ type: 'function', function: { name: 'look' } });
    const streamed = await client.chat.completions.stream(asked).finalChatCompletion();
    expect(
      streamed.choices[0]?.message.tool_calls?.map((call) => call.type === 'function' && call.function.arguments),
    ).toEqual(choice?.message.tool_calls?.map((call) => call.type === 'function' && call.function.arguments));
    const calls = choice?.message.tool_calls ?? [];
    const results = calls.map(({ id }) => ({ role: 'tool' as const, tool_call_id: id, content: 'Seen.' }));
    const answered = [...messages, { role: 'assistant' as const, tool_calls: calls }, ...results];
    const last = await client.chat.completions.create({ ...asked, messages: answered });
    expect(last.choices[0]).toMatchObject({ finish_reason: 'stop' });
    expect(last.choices[0]?.message.content).toContain('Seen.');
    const sent = services.provider.requests.at(-1)?.body;
    expect(sent).toMatchObject({
      messages: answered,
      tools: [tool],
      seed: 7,
      max_tokens: 50,
      response_format: { type: 'text' },
    });
  });

  it('of another protocol take the same request, and refuse by name what they do not know', async () => {
    const client = await clientOf();
    const tool = {
      type: 'function' as const,
      function: { name: 'look', parameters: { type: 'object', properties: {} } },
    };
    const model = 'anthropic/fake:tool-parallel';
    const messages = [
      { role: 'system' as const, content: 'Be brief.' },
      { role: 'user' as const, content: 'call look {}' },
    ];
    const { choices } = await client.chat.completions.create({ model, messages, tools: [tool], temperature: 0.5 });
    const calls = choices[0]?.message.tool_calls ?? [];
    expect(choices[0]?.finish_reason).toBe('tool_calls');
    const results = calls.map(({ id }) => ({ role: 'tool' as const, tool_call_id: id, content: 'Seen.' }));
    const next = [...messages, { role: 'assistant' as const, content: null, tool_calls: calls }, ...results];
    const last = await client.chat.completions.create({ model, messages: next, tools: [tool] });
    expect(last.choices[0]?.message.content).toContain('Seen.');
    for (const [param, value] of [
      ['logit_bias', {}],
      ['presence_penalty', 1],
    ] as const)
      await expect(
        client.chat.completions.create({ model, messages: hello, [param]: value }),
        param,
      ).rejects.toMatchObject({ status: 400, param, code: 'unsupported_parameter' });
  });

  it.each([
    ['anthropic/claude-sonnet-5', { stop_sequences: ['END'] }],
    ['google/gemini-2.5-flash', { generationConfig: { stopSequences: ['END'] } }],
  ])('of %s take stop sequences, and values that ask for nothing', async (model, sent) => {
    const client = await clientOf();
    const neutral = {
      frequency_penalty: 0,
      presence_penalty: 0,
      parallel_tool_calls: true,
      response_format: { type: 'text' as const },
    };
    const { choices } = await client.chat.completions.create({ model, messages: hello, stop: 'END', ...neutral });
    expect(choices[0]?.finish_reason).toBe('stop');
    expect(services.provider.requests.at(-1)?.body).toMatchObject(sent);
    const penalty = client.chat.completions.create({ model, messages: hello, frequency_penalty: 1 });
    await expect(penalty).rejects.toMatchObject({ status: 400, param: 'frequency_penalty' });
  });

  it.each([
    ['a parameter unknown here', { model: 'claude-sonnet-5', top_logprops: 1 }, 'top_logprops'],
    ['another choice of models', { models: ['gpt-4'] }, 'models'],
    ['another address', { api_base: 'http://127.0.0.1' }, 'api_base'],
    ['two answers', { n: 2 }, 'n'],
    ['no messages', { messages: [] }, 'messages'],
    [
      'a picture by its address',
      { messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'http://127.0.0.1/x.png' } }] }] },
      'messages[0].content',
    ],
    [
      'a result without its call',
      { messages: [...hello, { role: 'tool', tool_call_id: 'x', content: '' }] },
      'messages[1]',
    ],
    ['a temperature of 9', { model: 'anthropic/claude-sonnet-5', temperature: 'hot' }, 'temperature'],
  ])('with %s are refused, and the field is named', async (_, over, param) => {
    const client = await clientOf();
    const before = services.provider.requests.length;
    const asked = client.chat.completions.create({ model: 'gpt-4o', messages: hello, ...(over as object) });
    await expect(asked).rejects.toMatchObject({ status: 400, type: 'invalid_request_error', param });
    expect(services.provider.requests).toHaveLength(before);
  });

  it.each([
    'https://127.0.0.1/x.png',
    'HTTP://127.0.0.1/x.png',
    '//127.0.0.1/x.png',
    '/images/x.png',
    'file:///etc/passwd',
    'blob:http://127.0.0.1/x',
    'data:text/html;base64,PGI+',
    'data:image/svg+xml;base64,PHN2Zy8+',
    'data:image/png,http://127.0.0.1',
    ' data:image/png;base64,AAAA\nhttp://127.0.0.1/',
    'data:image/png;base64,AAAA@127.0.0.1',
  ])('with a picture at %s are refused, and nothing is fetched', async (url) => {
    const client = await clientOf();
    const before = services.provider.requests.length;
    const asked = client.chat.completions.create({
      model: 'gpt-4o',
      messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url } }] }],
    });
    await expect(asked).rejects.toMatchObject({ status: 400, type: 'invalid_request_error' });
    expect(services.provider.requests).toHaveLength(before);
  });

  it('have a status when they fail before the first word and an error after it, never an end mark', async () => {
    const { key } = await keyOf();
    const ask = (model: string) =>
      fetch(`${baseURL()}/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model, messages: hello, stream: true }),
      });
    const limited = await ask('fake:error-429');
    expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '7']);
    expect(await limited.json()).toMatchObject({ error: { code: 'rate_limit_exceeded', type: 'rate_limit_error' } });
    expect((await ask('fake:error-500')).status).toBe(502);
    const broken = await (await ask('fake:error-midstream')).text();
    expect(broken).toContain('"delta":{"content"');
    expect(broken).toMatch(/data: \{"error":\{[^\n]*\}\}\n\n$/);
    expect(broken).not.toContain('[DONE]');
    await expect.poll(running).toBe(0);
    await expectBooksToAgree(services.deps.db, alice.id);
  });

  it('end and are charged for what came when the client goes away, and when the key is revoked', async () => {
    const { id, key } = await keyOf();
    const client = new OpenAI({ baseURL: baseURL(), apiKey: key, maxRetries: 0 });
    const begin = () => client.chat.completions.create({ model: 'fake:never-ending', messages: hello, stream: true });
    let pieces = 0;
    for await (const _ of await begin()) if (++pieces > 5) break;
    await expect.poll(running).toBe(0);
    const spent = async () =>
      (
        await services.deps.db.sql<
          { sum: number }[]
        >`select sum(credits)::float8 from generations where api_key_id = ${id}`
      )[0]?.sum ?? 0;
    expect(await spent()).toBeGreaterThan(0);
    const stream = await begin();
    const ended = (async () => {
      for await (const _ of stream) if (++pieces === 20) await alice.api.apiKeys.revoke({ id });
    })();
    await expect(ended).rejects.toThrow();
    await expect.poll(running).toBe(0);
    await expectBooksToAgree(services.deps.db, alice.id);
  });

  it('cost no more than the limit of their key, however many are asked at once', async () => {
    const ask = async (client: OpenAI) => client.chat.completions.create({ model: 'gpt-4o', messages: hello });
    const { id, key } = await keyOf(alice, { monthlyCredits: 60_000 });
    const client = new OpenAI({ baseURL: baseURL(), apiKey: key, maxRetries: 0 });
    const asked = await Promise.allSettled(Array.from({ length: 20 }, () => ask(client)));
    const refused = asked.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []));
    expect(refused.length).toBeGreaterThan(0);
    expect(asked.length - refused.length).toBeGreaterThan(0);
    for (const error of refused) expect(error).toMatchObject({ status: 429, code: 'rate_limit_exceeded' });
    const listed = (await alice.api.apiKeys.list()).find((one) => one.id === id);
    expect(listed?.spentCredits).toBeLessThanOrEqual(60_000);
    await expectBooksToAgree(services.deps.db, alice.id);
  });

  it('give back what was set aside when their process died, and the balance and the limit of the key have it again', async () => {
    const { id, key } = await keyOf(alice, { monthlyCredits: 1_000_000 });
    const client = new OpenAI({ baseURL: baseURL(), apiKey: key, maxRetries: 0 });
    const leaving = new AbortController();
    const { db } = services.deps;
    await client.chat.completions.create(
      { model: 'fake:never-ending', messages: hello, stream: true },
      { signal: leaving.signal },
    );
    await expect.poll(running).toBe(1);
    expect((await balanceOf(db, alice.id)).reserved).toBeGreaterThan(0);
    // Its process, which lives here, renews what is its own.
    await db.sql`
      update generations set owner = ${randomUUID()}, lease_until = '-infinity'
      where api_key_id = ${id} and ended_at is null`;
    await recoverExpiredRuns(db, randomUUID());
    expect((await balanceOf(db, alice.id)).reserved).toBe(0);
    expect((await alice.api.apiKeys.list()).find((one) => one.id === id)?.spentCredits).toBe(0);
    leaving.abort();
    await expect.poll(() => services.deps.apiCalls.running.size()).toBe(0);
    await expectBooksToAgree(db, alice.id);
  });

  it('leave no message and no conversation behind', async () => {
    expect(await alice.api.convos.list({})).toMatchObject({ convos: [] });
  });
});

describe('an exchange that is to be stored', () => {
  it('is a conversation in the folder API, found and counted as others are; without it nothing is kept', async () => {
    const client = await clientOf(bob);
    const ask = (over: object) =>
      client.chat.completions.create({ model: 'openAI/fake:plain', messages: hello, ...over });
    await addCredits(services.deps.db, bob.id, 100_000_000);
    await ask({ store: false });
    expect(await bob.api.folders.list()).toEqual([]);
    const messages = [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: [{ type: 'text', text: 'Remember quokkas' }] },
      { role: 'assistant', content: 'I do.' },
      { role: 'user', content: 'And now?' },
    ];
    const [whole, streamed] = await Promise.all([
      ask({ messages, store: true }),
      clientOf(bob).then((other) =>
        other.chat.completions
          .stream({ model: 'openAI/fake:plain', messages: hello, store: true })
          .finalChatCompletion(),
      ),
    ]);
    const folders = await bob.api.folders.list();
    expect(folders).toMatchObject([{ name: 'API' }]);
    const { convos } = await bob.api.convos.list({});
    const idOf = ({ id }: { id: string }) => id.replace('chatcmpl-', '');
    expect(convos.map((one) => one.conversationId).toSorted()).toEqual([idOf(whole), idOf(streamed)].toSorted());
    const stored = convos.find((one) => one.conversationId === idOf(whole));
    expect(stored).toMatchObject({ endpoint: 'openAI', model: 'fake:plain', folderId: folders[0]?.id, running: null });
    expect(stored?.settings).toMatchObject({ promptPrefix: 'Be brief.' });
    const read = await bob.api.messages.list({ conversationId: idOf(whole) });
    expect(read.map(({ parts, isCreatedByUser }) => [isCreatedByUser, parts])).toEqual([
      [true, [{ type: 'text', text: 'Remember quokkas' }]],
      [false, [{ type: 'text', text: 'I do.' }]],
      [true, [{ type: 'text', text: 'And now?' }]],
      [false, [{ type: 'text', text: whole.choices[0]?.message.content }]],
    ]);
    expect(read.map(({ parentMessageId }) => parentMessageId)).toEqual([
      null,
      ...read.slice(0, -1).map(({ messageId }) => messageId),
    ]);
    await expect
      .poll(async () => (await bob.api.convos.searchPage({ query: 'quokkas', pageNumber: 1 })).convos)
      .toMatchObject([{ conversationId: idOf(whole) }]);
    const many = Array.from({ length: 2500 }, (_, n) => ({ role: 'user' as const, content: `Line ${n}` }));
    const system = { role: 'system' as const, content: 'Be brief. '.repeat(30_000) };
    const long = await ask({ messages: [system, ...many], store: true });
    expect(await bob.api.messages.list({ conversationId: idOf(long) })).toHaveLength(2501);
    const rows = await services.deps.db.query.select().from(generations).where(eq(generations.userId, bob.id));
    const call = expect.objectContaining({ kind: 'api', convoId: null, requestId: null, replyId: null });
    expect(rows).toEqual([call, call, call, call]);
    await expectBooksToAgree(services.deps.db, bob.id);
  });
});

describe('embeddings', () => {
  it('are vectors of texts by the operator’s model, in both encodings, charged by their tokens', async () => {
    const { id, key } = await keyOf();
    const client = new OpenAI({ baseURL: baseURL(), apiKey: key, maxRetries: 0 });
    const model = 'openAI/text-embedding-3-small';
    expect((await client.models.list()).data.map((one) => one.id)).toContain(model);
    const input = ['A cat', 'A dog'];
    const packed = await client.embeddings.create({ model, input });
    const plain = await client.embeddings.create({ model: 'text-embedding-3-small', input, encoding_format: 'float' });
    expect(packed.data.map(({ index }) => index)).toEqual([0, 1]);
    const [first = []] = plain.data.map(({ embedding }) => embedding);
    expect(first.length).toBeGreaterThan(1);
    packed.data[0]?.embedding.forEach((value, index) => expect(value).toBeCloseTo(first[index] ?? NaN, 5));
    expect(plain.usage.prompt_tokens).toBeGreaterThan(0);
    expect((await alice.api.apiKeys.list()).find((one) => one.id === id)?.spentCredits).toBe(2);
    await expect(client.embeddings.create({ model: 'gpt-4o', input })).rejects.toMatchObject({ status: 404 });
    const short = await client.embeddings.create({ model, input: [[1, 2], [3]], dimensions: 8 });
    expect(short.data.map(({ embedding }) => embedding.length)).toEqual([8, 8]);
    expect(short.usage.prompt_tokens).toBe(3);
    expect(services.provider.requests.at(-1)?.body).toMatchObject({ input: [[1, 2], [3]], dimensions: 8 });
    const tokens = await client.embeddings.create({ model, input: [1, 2, 3] });
    expect(tokens.data).toHaveLength(1);
    await expect(client.embeddings.create({ model, input: [['a', 1]] as never })).rejects.toMatchObject({
      param: 'input',
    });
    await expectBooksToAgree(services.deps.db, alice.id);
  });

  it('are made by each model that the operator has named, at its own rate', async () => {
    const { id, key } = await keyOf();
    const client = new OpenAI({ baseURL: baseURL(), apiKey: key, maxRetries: 0 });
    const ids = ['openAI/text-embedding-3-small', 'openAI/text-embedding-3-large', 'openAI/BAAI/bge-m3'];
    expect((await client.models.list()).data.map((one) => one.id)).toEqual(expect.arrayContaining(ids));
    expect((await client.models.retrieve('openAI/BAAI/bge-m3')).owned_by).toBe('openAI');
    const spent = async () => (await alice.api.apiKeys.list()).find((one) => one.id === id)?.spentCredits ?? 0;
    const input = [Array.from({ length: 1000 }, (_, token) => token)];
    for (const [model, credits] of [
      ['text-embedding-3-small', 20],
      ['openAI/text-embedding-3-large', 130],
      ['BAAI/bge-m3', null],
    ] as const) {
      const before = await spent();
      const answer = await client.embeddings.create({ model, input, dimensions: 8 });
      expect(answer.data[0]?.embedding).toHaveLength(8);
      expect(answer).toMatchObject({ model, usage: { prompt_tokens: 1000 } });
      expect(services.provider.requests.at(-1)?.body).toMatchObject({ model: model.replace('openAI/', '') });
      if (credits !== null) expect((await spent()) - before).toBe(credits);
    }
    const other = client.embeddings.create({ model: 'text-embedding-ada-002', input });
    await expect(other).rejects.toMatchObject({
      status: 404,
      code: 'model_not_found',
      param: 'model',
      message: expect.stringContaining('The model text-embedding-ada-002 is not there') as string,
    });
    await expectBooksToAgree(services.deps.db, alice.id);
  });
});

it('the recorded traffic of the official Python client is answered as the client reads it', async () => {
  const { key } = await keyOf();
  const shapes = [Models, Model, ChatCompletion, null, ChatCompletion, Embeddings];
  const path = fileURLToPath(new URL('../../fixtures/openai-python.json', import.meta.url));
  const recorded = JSON.parse(readFileSync(path, 'utf8')) as Recorded[];
  expect(recorded).toHaveLength(shapes.length);
  for (const [index, { method, path: asked, headers, body }] of recorded.entries()) {
    const authorization = headers.authorization?.replace('pk_KEY', key) ?? '';
    const response = await fetch(`http://${clients.host}${asked}`, {
      method,
      headers: { ...headers, authorization },
      body,
    });
    const text = await response.text();
    expect([asked, response.status, text]).toEqual([asked, 200, text]);
    if (shapes[index]) shapes[index].parse(JSON.parse(text));
    else expect(text).toMatch(/"usage":\{[^\n]*\}\}\n\ndata: \[DONE\]\n\n$/);
  }
});

describe('the document', () => {
  it('is valid OpenAPI 3.1, and has every row with its statuses', async () => {
    const response = await fetch(`${baseURL()}/openapi.json`);
    const document = (await response.json()) as { paths: Record<string, Record<string, { responses: object }>> };
    const validator = new Validator();
    expect(await validator.validate(structuredClone(document))).toEqual({ valid: true });
    expect(validator.version).toBe('3.1');
    for (const { path, method } of API_ROWS) {
      const operation = document.paths[path]?.[method.toLowerCase()];
      expect(Object.keys(operation?.responses ?? {})).toEqual(expect.arrayContaining(['200', '400', '401', '429']));
    }
    const names = JSON.stringify(document.paths['/v1/chat/completions']);
    for (const name of Object.keys(ChatRequest.shape)) expect(names).toContain(`"${name}"`);
    const { key } = await keyOf();
    const answer = await fetch(`${baseURL()}/models`, { headers: { 'x-api-key': key } });
    expect(Models.parse(await answer.json()).data.length).toBeGreaterThan(0);
  });
});

describe('pages of other sites', () => {
  it('may call with a key and without cookies, here and nowhere else', async () => {
    const { key } = await keyOf();
    const ask = (path: string, init: RequestInit) =>
      fetch(`http://${clients.host}${path}`, {
        ...init,
        headers: { origin: 'https://editor.example', ...init.headers },
      });
    const before = await ask('/v1/models', {
      method: 'OPTIONS',
      headers: {
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'authorization,content-type',
      },
    });
    expect([before.status, before.headers.get('access-control-allow-origin')]).toEqual([204, '*']);
    const listed = await ask('/v1/models', { headers: { authorization: `Bearer ${key}` } });
    expect(listed.headers.get('access-control-allow-origin')).toBe('*');
    expect(listed.headers.get('x-request-id')).toMatch(/./);
    for (const response of [
      before,
      listed,
      await ask('/v1/models', {}),
      await ask('/api/convos', { headers: { authorization: `Bearer ${key}` } }),
    ])
      expect(response.headers.get('access-control-allow-credentials')).toBeNull();
    expect((await ask('/v1/models', {})).headers.get('access-control-allow-origin')).toBeNull();
    const none = await ask('/v1/nothing', { headers: { authorization: `Bearer ${key}` } });
    expect([none.status, await none.json()]).toMatchObject([404, { error: { code: 'unknown_url' } }]);
  });
});
