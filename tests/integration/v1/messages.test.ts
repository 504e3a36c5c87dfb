// What programs send beside texts in Anthropic's protocol, and what of it reaches each provider.
import Anthropic from '@anthropic-ai/sdk';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openApiClients, type ApiClients } from '../../support/rest/api-clients.ts';

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const PDF = readFileSync(new URL('../../fixtures/documents/address-form-filled.pdf', import.meta.url));
const LOCKED = readFileSync(new URL('../../fixtures/documents/encrypted.pdf', import.meta.url));
const MODELS = ['openAI/gpt-4o', 'Local/llama-3', 'anthropic/claude-sonnet-5', 'google/gemini-2.5-flash'];

let web: Server;
let clients: ApiClients;
let api: Anthropic;
let origin: string;
/** The paths that were asked for. */
const visits: string[] = [];

beforeAll(async () => {
  web = createServer((request, response) => {
    visits.push(request.url ?? '');
    if (request.url === '/pixel') response.end(Buffer.from(PIXEL, 'base64'));
    else if (request.url === '/paper') response.end(PDF);
    else response.writeHead(request.url === '/moved' ? 302 : 404, { location: '/pixel' }).end('<p>No picture</p>');
  });
  await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(web.address() as AddressInfo).port}`;
  origin = `http://${host}`;
  clients = await openApiClients({ EGRESS_ALLOWED_HOSTS: host });
  api = new Anthropic({ apiKey: clients.key, baseURL: clients.baseURL.replace(/\/v1$/, ''), maxRetries: 0 });
});
afterAll(async () => {
  web.close();
  await clients.close();
});

type Content = Anthropic.ContentBlockParam[];

async function echo(model: string, content: Content): Promise<string> {
  const messages = [{ role: 'user' as const, content: [...content, { type: 'text' as const, text: '[[echo]]' }] }];
  const { content: blocks } = await api.messages.create({ model, max_tokens: 4000, messages });
  return blocks.map((block) => (block.type === 'text' ? block.text : '')).join('');
}

const document = (source: Anthropic.DocumentBlockParam['source'], more: object = {}): Content => [
  { type: 'document', source, ...more },
];
const inBase64 = (bytes: Buffer) =>
  ({ type: 'base64', media_type: 'application/pdf', data: bytes.toString('base64') }) as const;

describe('documents', () => {
  it.each(MODELS)('%s gets a document as a PDF if it reads PDFs, else as text', async (model) => {
    for (const source of [inBase64(PDF), { type: 'url' as const, url: `${origin}/paper` }]) {
      const said = await echo(model, document(source, { title: 'Form' }));
      if (model.startsWith('Local')) {
        expect(said).toContain('Change of address');
        expect(JSON.stringify(clients.sent())).not.toContain('base64');
      } else expect(said).toContain(`[saw application/pdf of ${PDF.length} bytes]`);
    }
  });

  it.each(MODELS)('%s gets documents of text with their titles', async (model) => {
    const plain = document({ type: 'text', media_type: 'text/plain', data: 'The moon is far.' }, { title: 'Moon' });
    const mixed = document({ type: 'content', content: [{ type: 'text', text: 'The sun is hot.' }] });
    expect(await echo(model, [...plain, ...mixed])).toMatch(/Moon[^]*The moon is far\.[^]*The sun is hot\./);
  });

  it('count_tokens counts documents', async () => {
    const count = async (content: Content) =>
      (await api.messages.countTokens({ model: 'anthropic/claude-sonnet-5', messages: [{ role: 'user', content }] }))
        .input_tokens;
    const hello = [{ type: 'text' as const, text: 'Hello' }];
    expect(await count([...hello, ...document(inBase64(PDF))])).toBeGreaterThan((await count(hello)) + 1000);
  });

  it.each([
    ['a file that is kept elsewhere', { source: { type: 'file', file_id: 'file_1' } }, 'source'],
    ['citations', { source: inBase64(PDF), citations: { enabled: true } }, 'citations'],
    ['what is no PDF', { source: inBase64(Buffer.from('Hello')) }, 'no PDF'],
  ])('the request refuses %s by name', async (_, block, named) => {
    // Blocks that this server refuses: one of them is none that the package types.
    const content = [{ type: 'document', ...block }] as unknown as Content;
    await expect(echo('anthropic/claude-sonnet-5', content)).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining(named) as string,
    });
  });

  it('a locked PDF is refused with the reason where a model would get its text', async () => {
    await expect(echo('Local/llama-3', document(inBase64(LOCKED)))).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('locked with a password') as string,
    });
  });
});

describe('pictures by their address', () => {
  const picture = (url: string): Content => [{ type: 'image', source: { type: 'url', url } }];

  it.each(MODELS)('are fetched for %s, which is sent their bytes', async (model) => {
    expect(await echo(model, picture(`${origin}/pixel`))).toContain('[saw image/png');
    expect(JSON.stringify(clients.sent())).not.toContain(origin);
  });

  it('are fetched in the other protocols, too', async () => {
    const other = new OpenAI({ baseURL: clients.baseURL, apiKey: clients.key, maxRetries: 0 });
    const url = `${origin}/pixel`;
    const text = '[[echo]]';
    const { choices } = await other.chat.completions.create({
      model: 'google/gemini-2.5-flash',
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text },
            { type: 'image_url', image_url: { url } },
          ],
        },
      ],
    });
    expect(choices[0]?.message.content).toContain('[saw image/png');
    const file = { type: 'input_file' as const, filename: 'f.pdf', file_url: `${origin}/paper` };
    const shown = { type: 'input_image' as const, image_url: url, detail: 'auto' as const };
    const answer = await other.responses.create({
      model: 'anthropic/claude-sonnet-5',
      input: [{ role: 'user', content: [{ type: 'input_text', text }, shown, file] }],
    });
    expect(answer.output_text).toContain('[saw image/png');
    expect(answer.output_text).toContain('[saw application/pdf');
  });

  it.each([
    ['https://127.0.0.1:9/x.png', 'public'],
    ['https://[::1]/x.png', 'public'],
    ['https://169.254.169.254/latest/meta-data', 'public'],
    ['http://example.com/x.png', 'public'],
    ['ftp://example.com/x.png', 'https'],
    ['missing', 'answers 404'],
    ['moved', 'cannot be fetched'],
    ['paper', 'PNG, JPEG, GIF'],
  ])('%s is refused in words, and no provider is asked', async (address, words) => {
    const url = address.includes(':') ? address : `${origin}/${address}`;
    const before = clients.services.provider.requests.length;
    visits.length = 0;
    await expect(echo('openAI/gpt-4o', picture(url))).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining(words) as string,
    });
    expect(clients.services.provider.requests).toHaveLength(before);
    // A redirect is not followed.
    expect(visits).toEqual(address.includes(':') ? [] : [`/${address}`]);
  });

  it('are refused where a request names many', async () => {
    const many = Array.from({ length: 21 }, () => picture(`${origin}/pixel`)).flat();
    await expect(echo('openAI/gpt-4o', many)).rejects.toMatchObject({ status: 400 });
  });
});

it.each([
  ['openAI/gpt-4o', /"content":"Error: No such place\."/],
  ['Local/llama-3', /"content":"Error: No such place\."/],
  ['anthropic/claude-sonnet-5', /"content":"No such place\.","is_error":true/],
  ['google/gemini-2.5-flash', /"response":\{"error":"No such place\."\}/],
])('%s is told that a tool failed', async (model, told) => {
  const look = { name: 'look', input_schema: { type: 'object' as const, properties: {} } };
  const call = { type: 'tool_use' as const, id: 'toolu_1', name: 'look', input: {} };
  const result = { type: 'tool_result' as const, tool_use_id: 'toolu_1', content: 'No such place.', is_error: true };
  await api.messages.create({
    model,
    max_tokens: 4000,
    tools: [look],
    messages: [
      { role: 'user', content: 'Look.' },
      { role: 'assistant', content: [call] },
      { role: 'user', content: [result] },
    ],
  });
  expect(JSON.stringify(clients.sent())).toMatch(told);
});

describe('thinking', () => {
  const ask = (model: string, thinking: Anthropic.ThinkingConfigParam, more: object = {}) =>
    api.messages.create({
      model,
      max_tokens: 9000,
      thinking,
      messages: [{ role: 'user', content: 'Hello' }],
      ...more,
    });
  const nothing = {};

  it.each([
    ['anthropic/claude-3-5-haiku-20241022', nothing],
    ['anthropic/claude-haiku-4-5', nothing],
    ['anthropic/claude-opus-4-7', nothing],
    ['anthropic/claude-sonnet-5', { thinking: { type: 'disabled' } }],
    ['openAI/gpt-4o', nothing],
    ['openAI/gpt-5.1', { reasoning_effort: 'none' }],
    ['Local/llama-3', nothing],
    ['google/gemini-2.5-flash', { generationConfig: { thinkingConfig: { thinkingBudget: 0 } } }],
  ])('is not asked of %s where it is disabled', async (model, sent) => {
    await ask(model, { type: 'disabled' });
    expect(clients.sent()).toMatchObject(sent);
    if (sent === nothing) expect(JSON.stringify(clients.sent())).not.toMatch(/"thinking|effort/);
    expect(JSON.stringify(clients.sent())).not.toContain('includeThoughts');
  });

  it.each([
    ['anthropic/claude-opus-4-7', { thinking: { type: 'adaptive' }, output_config: { effort: 'high' } }],
    ['anthropic/claude-sonnet-5', { thinking: { type: 'adaptive' } }],
    ['openAI/gpt-5.1', nothing],
    ['Local/deepseek-r1', nothing],
    ['google/gemini-2.5-flash', { generationConfig: { thinkingConfig: { includeThoughts: true } } }],
  ])('is as long as %s likes where it is adaptive', async (model, sent) => {
    await ask(model, { type: 'adaptive' });
    expect(clients.sent()).toMatchObject(sent);
  });

  it('takes an effort when it is adaptive', async () => {
    const output_config = { effort: 'low' };
    for (const model of ['anthropic/claude-opus-4-7', 'anthropic/claude-sonnet-5']) {
      await ask(model, { type: 'adaptive' }, { output_config });
      expect(clients.sent()).toMatchObject({ thinking: { type: 'adaptive' }, output_config });
    }
  });

  it.each([
    ['disabled', 'openAI/gpt-5'],
    ['disabled', 'anthropic/claude-fable-5'],
    ['disabled', 'google/gemini-3-flash'],
    ['disabled', 'Local/deepseek-r1'],
    ['adaptive', 'anthropic/claude-haiku-4-5'],
    ['adaptive', 'openAI/gpt-4o'],
    ['adaptive', 'Local/llama-3'],
  ] as const)('that is %s is refused by name for %s, which has no way', async (type, model) => {
    await expect(ask(model, { type })).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('thinking') as string,
    });
  });
});

it('texts that end an answer are as many as the provider takes', async () => {
  const ask = (model: string, count: number) =>
    api.messages.create({
      model,
      max_tokens: 4000,
      messages: [{ role: 'user', content: 'Hello' }],
      stop_sequences: Array.from({ length: count }, (_, index) => `END${index}`),
    });
  for (const [model, count] of [
    ['anthropic/claude-sonnet-5', 9],
    ['google/gemini-2.5-flash', 5],
    ['Local/llama-3', 9],
    ['openAI/gpt-4o', 4],
  ] as const) {
    await ask(model, count);
    expect(JSON.stringify(clients.sent())).toContain(`END${count - 1}`);
  }
  for (const [model, count] of [
    ['google/gemini-2.5-flash', 6],
    ['openAI/gpt-4o', 5],
  ] as const)
    await expect(ask(model, count)).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('stop_sequences') as string,
    });
});

it('edits of the context are refused by name', async () => {
  const edited = {
    model: 'anthropic/claude-sonnet-5',
    max_tokens: 4000,
    messages: [{ role: 'user' as const, content: 'Hello' }],
    context_management: { edits: [] },
  };
  const asked = api.messages.create(edited);
  await expect(asked).rejects.toMatchObject({
    status: 400,
    message: expect.stringContaining('context_management') as string,
  });
});
