// Speech over HTTP: recordings are written down and texts read aloud by fakes that speak the real wires.
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { budgets } from '@parley/db/tables/balances';
import { generations } from '@parley/db/tables/generations';
import { modelAccess } from '@parley/db/tables/administration';
import { limits } from '@parley/db/tables/limits';
import { addCredits } from '@parley/server/billing/balances';
import { sweepSpoken } from '@parley/server/speech/spoken-cache';
import { desc, eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { balanceOf, expectBooksToAgree, spendingOf } from '../../support/credits.ts';
import { createFolder } from '../../support/folders.ts';
import { openHttpClients, type Browser, type HttpClients } from '../../support/http-clients.ts';
import { fetchDocumented } from '../../support/rest/documented.ts';
import { wav, webm } from '../../support/speech/recordings.ts';

const YAML = `version: 1.2.1
speech:
  speechTab: { conversationMode: true, textToSpeech: { voice: echo } }
  stt: { openai: { url: '\${FAKE}/v1', apiKey: sk-stt, model: whisper-1 } }
  tts: { openai: { url: '\${FAKE}/v1', apiKey: sk-tts, model: tts-1, voices: [alloy, echo] } }
`;
const PLENTY = 10_000_000;
const PER_SECOND = 100;
const PER_CHARACTER = 15;

let clients: HttpClients;
let data: string;
let alice: Browser;
let bob: Browser;

beforeAll(async () => {
  data = createFolder();
  const CONFIG_PATH = join(createFolder(), 'parley.yaml');
  writeFileSync(CONFIG_PATH, YAML);
  clients = await openHttpClients({
    env: { CONFIG_PATH, FAKE: '${FAKE_PROVIDER}', CHECK_BALANCE: 'true', DATA_DIR: data, STREAM_FIRST_TIMEOUT: '2000' },
  });
  alice = await clients.signUp('alice');
  bob = await clients.signUp('bob');
  for (const { userId } of [alice, bob]) await addCredits(db(), userId, PLENTY);
});
afterEach(async () => {
  await db().query.delete(budgets);
  await db().query.delete(modelAccess);
  await db().query.delete(limits);
  await Promise.all([clients.services.deps.budgets.reload(), clients.services.deps.access.reload()]);
});
afterAll(() => clients.close());

const db = () => clients.services.deps.db;

function post(path: string, body: FormData | object, who: Browser = alice): Promise<Response> {
  const isForm = body instanceof FormData;
  const headers = { authorization: `Bearer ${who.token}`, ...(!isForm && { 'content-type': 'application/json' }) };
  return fetchDocumented(`http://${clients.host}${path}`, {
    method: 'POST',
    headers,
    body: isForm ? body : JSON.stringify(body),
  });
}

function dictate(recording: Uint8Array, who = alice, field = 'audio'): Promise<Response> {
  const form = new FormData();
  form.append(field, new Blob([new Uint8Array(recording)]), 'recording');
  return post('/api/files/speech/stt', form, who);
}

const read = (input: string, more: object = {}, who = alice) =>
  post('/api/files/speech/tts/manual', { input, ...more }, who);

async function refusalOf(response: Response): Promise<[number, string]> {
  const { reason } = (await response.json()) as { reason?: { type: string } };
  return [response.status, reason?.type ?? ''];
}

async function spendingOfLast({ userId }: Browser): Promise<number> {
  const [row] = await db()
    .query.select()
    .from(generations)
    .where(eq(generations.userId, userId))
    .orderBy(desc(generations.createdAt));
  expect(row).toMatchObject({ kind: 'speech', endpoint: 'openAI', replyId: row?.id });
  expect(row?.endedAt).not.toBeNull();
  const entries = await spendingOf(db(), userId, row?.id);
  expect(entries.every(({ context }) => context === 'speech')).toBe(true);
  await expectBooksToAgree(db(), userId);
  return -entries.reduce((sum, { tokenValue }) => sum + tokenValue, 0);
}

const asked = (path: string) => clients.services.provider.requests.filter((one) => one.path.endsWith(path));

describe('a recording', () => {
  it('is written down, and paid by the second', async () => {
    const response = await dictate(wav(12.5, 'say:What is the weather?:said'));
    expect([response.status, await response.json()]).toEqual([200, { text: 'What is the weather?' }]);
    expect(await spendingOfLast(alice)).toBe(13 * PER_SECOND);
    const sent = asked('/audio/transcriptions').at(-1);
    expect(sent?.headers).toMatchObject({ authorization: 'Bearer sk-stt' });
    expect(sent?.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/);
    expect(String(sent?.body)).toMatch(/name="model"\r\n\r\nwhisper-1\r\n/);
    expect(String(sent?.body)).toMatch(/filename="recording\.wav"\r\nContent-Type: audio\/wav/);
  });

  it('is paid by what the provider bills, where it says so', async () => {
    await dictate(wav(3, 'seconds:41 '));
    expect(await spendingOfLast(alice)).toBe(41 * PER_SECOND);
  });

  it('of a browser is sent on by its real type, whatever it is called', async () => {
    const form = new FormData();
    form.append('audio', new Blob([new Uint8Array(webm(0, 1000))], { type: 'text/html' }), 'x.html');
    expect((await post('/api/files/speech/stt', form)).status).toBe(200);
    expect(String(asked('/audio/transcriptions').at(-1)?.body)).toMatch(
      /recording\.webm"\r\nContent-Type: audio\/webm/,
    );
  });

  it('is stored nowhere', async () => {
    await dictate(wav(2, 'say:A secret of mine:said'));
    const files = readdirSync(data, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
    const holders = files.filter((one) => readFileSync(join(one.parentPath, one.name)).includes('A secret of mine'));
    expect(holders.map(({ name }) => name)).toEqual([]);
  });

  it.each([
    ['a picture', Buffer.from('\x89PNG\r\n\x1a\n and more', 'latin1')],
    ['nothing', Buffer.alloc(0)],
    ['text', Buffer.from('What I would have said')],
  ])('that is %s is refused before the provider is asked', async (_, bytes) => {
    const before = asked('/audio/transcriptions').length;
    expect(await refusalOf(await dictate(bytes))).toEqual([422, 'invalid_input']);
    expect(asked('/audio/transcriptions')).toHaveLength(before);
  });

  it('in another field, or none, is refused', async () => {
    expect(await refusalOf(await dictate(wav(1), alice, 'file'))).toEqual([422, 'invalid_input']);
    expect(await refusalOf(await post('/api/files/speech/stt', {}))).toEqual([422, 'invalid_input']);
  });

  it('of more than ten minutes, or 25 MB, is refused and costs nothing', async () => {
    const before = await balanceOf(db(), alice.userId);
    const response = await dictate(webm(0, 700_000));
    expect([response.status, await response.json()]).toMatchObject([422, { message: /ten minutes/ }]);
    const large = Buffer.concat([webm(0), Buffer.alloc(26 * 1024 * 1024)]);
    expect(await dictate(large).then(refusalOf)).toEqual([422, 'invalid_input']);
    expect(await balanceOf(db(), alice.userId)).toEqual(before);
  });
});

describe.each(['a recording', 'a text'])('%s whose provider', (what) => {
  const send = (scenario: string) =>
    what === 'a recording' ? dictate(wav(1, `[[${scenario}]]`)) : read(`[[${scenario}]] ${randomUUID()}`);

  it.each([
    ['error-429', 'provider_rate_limited'],
    ['error-500', 'provider_unavailable'],
    ['error-503', 'provider_unavailable'],
    ['error-401', 'invalid_api_key'],
    ['quota', 'insufficient_quota'],
    ['silent', 'provider_stalled'],
    ['html-502', 'provider_unavailable'],
    ['cut:0', 'provider_unavailable'],
  ])('does as in %s is told so, and costs nothing', async (scenario, reason) => {
    const before = await balanceOf(db(), alice.userId);
    const response = await send(scenario);
    const [status, type] = await refusalOf(response);
    expect([status, type]).toEqual([502, reason]);
    if (scenario === 'error-429') expect(response.headers.get('retry-after')).toBe('7');
    expect(await balanceOf(db(), alice.userId)).toEqual(before);
    await expectBooksToAgree(db(), alice.userId);
  });
});

it('a format that the provider refuses is told with its sentence', async () => {
  const response = await dictate(wav(1, 'unknown format'));
  expect(await response.json()).toMatchObject({
    reason: { type: 'provider_refused', status: 400, text: /Invalid file format/ },
  });
});

describe('a text', () => {
  it('is read aloud, and paid by the character', async () => {
    const text = `Good morning. ${randomUUID()}`;
    const response = await read(text, { voice: 'echo', speed: 1.5 });
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'audio/mpeg']);
    expect((await response.arrayBuffer()).byteLength).toBeGreaterThan(1000);
    expect(await spendingOfLast(alice)).toBe(text.length * PER_CHARACTER);
    expect(asked('/audio/speech').at(-1)).toMatchObject({
      headers: { authorization: 'Bearer sk-tts' },
      body: { model: 'tts-1', input: text, voice: 'echo', response_format: 'mp3', speed: 1.5 },
    });
  });

  it('costs nothing a second time, and is another one with another voice or speed', async () => {
    const text = `Once more. ${randomUUID()}`;
    const sounds = [];
    for (const more of [{}, {}, { voice: 'echo' }, { speed: 2 }])
      sounds.push(await (await read(text, more)).arrayBuffer());
    expect(sounds[1]).toEqual(sounds[0]);
    expect(asked('/audio/speech').filter(({ body }) => JSON.stringify(body).includes(text))).toHaveLength(3);
  });

  it('that somebody else has heard is paid all the same', async () => {
    const text = `Heard by two. ${randomUUID()}`;
    for (const who of [alice, bob]) await (await read(text, {}, who)).arrayBuffer();
    expect(await spendingOfLast(bob)).toBe(text.length * PER_CHARACTER);
  });

  it('is forgotten after a day, and the oldest first where there is no room', async () => {
    const { config } = clients.services.deps;
    const stored = () => readdirSync(join(data, 'speech'));
    for (const text of ['One. ', 'Two. ']) await (await read(text + randomUUID())).arrayBuffer();
    await sweepSpoken(config);
    expect(stored().length).toBeGreaterThan(1);
    await sweepSpoken(config, 2000);
    expect(stored().length).toBeLessThan(2);
    await sweepSpoken(config, undefined, Date.now() + 24 * 60 * 60_000);
    expect(stored()).toEqual([]);
  });

  it('of any length is read piece by piece', async () => {
    const text = `A sentence of a long story ${randomUUID()}. `.repeat(120).trim();
    await (await read(text)).arrayBuffer();
    const pieces = asked('/audio/speech').slice(-2);
    expect(pieces.map(({ body }) => (body as { input: string }).input).join(' ')).toBe(text);
  });

  it('may come in a form, as clients of 0.7.5 send it', async () => {
    const form = new FormData();
    form.append('input', `In a form. ${randomUUID()}`);
    form.append('voice', 'nobody');
    form.append('messageId', randomUUID());
    const response = await post('/api/files/speech/tts/manual', form);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'audio/mpeg']);
    await response.arrayBuffer();
    expect(asked('/audio/speech').at(-1)).toMatchObject({ body: { voice: 'alloy' } });
  });

  it('that breaks off costs nothing and is not kept', async () => {
    const text = `[[cut]] ${randomUUID()}`;
    const before = await balanceOf(db(), alice.userId);
    for (const _ of [1, 2]) await expect(read(text).then((response) => response.arrayBuffer())).rejects.toThrow();
    expect(asked('/audio/speech').filter(({ body }) => JSON.stringify(body).includes(text))).toHaveLength(2);
    expect(await balanceOf(db(), alice.userId)).toEqual(before);
  });

  it.each([
    ['without words', { input: ' ' }],
    ['without end', { input: 'x'.repeat(50_000) }],
    ['at no speed', { input: 'x', speed: 9 }],
  ])('%s is refused', async (_, body) => {
    expect(await refusalOf(await post('/api/files/speech/tts/manual', body))).toEqual([422, 'invalid_input']);
  });
});

describe('what is not allowed', () => {
  it('is refused by a budget before the provider is asked', async () => {
    await db().query.insert(budgets).values({ scope: 'each', period: 'day', credits: 10 });
    await clients.services.deps.budgets.reload();
    const before = clients.services.provider.requests.length;
    expect(await refusalOf(await dictate(wav(30)))).toEqual([402, 'budget']);
    expect(await refusalOf(await read('Too dear for today'))).toEqual([402, 'budget']);
    // What is refused while it arrives is answered, too.
    const long = Buffer.concat([webm(0), Buffer.alloc(12 * 1024 * 1024)]);
    expect(await refusalOf(await dictate(long))).toEqual([402, 'budget']);
    expect(await refusalOf(await dictate(Buffer.alloc(12 * 1024 * 1024, 'no sound')))).toEqual([422, 'invalid_input']);
    expect(clients.services.provider.requests).toHaveLength(before);
  });

  it('is refused where there is no balance', async () => {
    const carol = await clients.signUp('carol');
    expect(await refusalOf(await dictate(wav(1), carol))).toEqual([402, 'token_balance']);
    expect(await refusalOf(await read('Nothing left', {}, carol))).toEqual([402, 'token_balance']);
  });

  it('is refused for a model that is for others', async () => {
    await db()
      .query.insert(modelAccess)
      .values({ endpoint: 'openAI', groupIds: null, models: { 'whisper-1': [], 'tts-1': [] } });
    await clients.services.deps.access.reload();
    expect(await refusalOf(await dictate(wav(1), bob))).toEqual([403, 'model_not_yours']);
    expect(await refusalOf(await read('Not for me', {}, bob))).toEqual([403, 'model_not_yours']);
  });

  it('is refused to strangers', async () => {
    const stranger = { ...alice, token: 'a.b.c' };
    expect((await dictate(wav(1), stranger)).status).toBe(401);
    expect((await read('Hello', {}, stranger)).status).toBe(401);
  });

  it('is refused after thirty recordings a minute', async () => {
    const answers = await Promise.all(Array.from({ length: 33 }, () => dictate(wav(0.1))));
    expect(answers.filter(({ status }) => status === 429).length).toBeGreaterThanOrEqual(3);
  });
});

it('clients are told what there is', async () => {
  const headers = { authorization: `Bearer ${alice.token}` };
  const get = async (path: string): Promise<unknown> =>
    (await fetchDocumented(`http://${clients.host}${path}`, { headers })).json();
  expect(await get('/api/files/speech/config/get')).toEqual({
    conversationMode: true,
    voice: 'echo',
    sttExternal: true,
    ttsExternal: true,
  });
  expect(await get('/api/files/speech/tts/voices')).toEqual(['alloy', 'echo']);
  expect(await get('/api/config')).toMatchObject({ dictationEnabled: true, readingEnabled: true });
  const page = await fetch(`http://${clients.host}/api/config`);
  expect(page.headers.get('permissions-policy')).toContain('microphone=(self)');
  expect(page.headers.get('content-security-policy')).toContain("media-src 'self' blob:");
});

it('usage has speech under its own name, without tokens', async () => {
  await dictate(wav(2));
  const { models } = await alice.api.usage.mine.query({});
  expect(models.find(({ kind, model }) => kind === 'speech' && model === 'whisper-1')).toMatchObject({
    endpoint: 'openAI',
    input: 0,
    output: 0,
    unpriced: 0,
  });
});

describe('a server without speech', () => {
  it('has neither header nor service', async () => {
    const plain = await openHttpClients();
    const page = await fetch(`http://${plain.host}/api/config`);
    expect(page.headers.get('permissions-policy')).toContain('microphone=()');
    expect(page.headers.get('content-security-policy')).not.toContain('media-src');
    expect(await page.json()).not.toHaveProperty('dictationEnabled');
    const { token } = await plain.signUp('dave');
    const response = await fetch(`http://${plain.host}/api/files/speech/tts/manual`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ input: 'Hello' }),
    });
    expect([response.status, await response.json()]).toMatchObject([
      422,
      { message: 'This server reads nothing aloud.' },
    ]);
    await plain.close();
  });
});

describe('other wires', () => {
  it.each([
    [
      'ElevenLabs',
      "elevenlabs: { url: '${FAKE}/v1/text-to-speech', apiKey: xi-key, model: eleven_flash_v2, voices: [rachel], voice_settings: { stability: 0.4 } }",
      '/text-to-speech/rachel',
      { 'xi-api-key': 'xi-key' },
      { text: 'Hello', model_id: 'eleven_flash_v2', voice_settings: { stability: 0.4 } },
    ],
    [
      'LocalAI',
      "localai: { url: '${FAKE}/tts', voices: [en-us], backend: piper }",
      '/tts',
      {},
      { input: 'Hello', model: 'en-us', backend: 'piper' },
    ],
  ])('%s reads aloud', async (_, service, path, headers, body) => {
    const CONFIG_PATH = join(createFolder(), 'parley.yaml');
    writeFileSync(CONFIG_PATH, `version: 1.2.1\nspeech: { tts: { ${service} } }\n`);
    const other = await openHttpClients({ env: { CONFIG_PATH, FAKE: '${FAKE_PROVIDER}' } });
    const { token } = await other.signUp('erin');
    const response = await fetch(`http://${other.host}/api/files/speech/tts/manual`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ input: 'Hello' }),
    });
    expect((await response.arrayBuffer()).byteLength).toBeGreaterThan(1000);
    const sent = other.services.provider.requests.at(-1);
    expect(sent?.path.endsWith(path)).toBe(true);
    expect(sent).toMatchObject({ headers, body });
    await other.close();
  });
});
