// The whole way of an existing client with an assistant: made with a tool, given an action and a file, asked, deleted.
// Every frame and every stored message is compared with what such a client reads.
import { randomUUID } from 'node:crypto';
import { FAKE_API, startFakeApi, type FakeApi } from '@parley/scripts/fake-tools/api';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  askAssistant,
  Assistant,
  AssistantDocument,
  AssistantList,
  type AssistantFrames,
} from '../../../support/rest/assistant-rules.ts';
import { NO_PARENT, send, signUp, type Client } from '../../../support/rest/client.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';
import { upload } from '../../../support/uploads.ts';

const yaml = `
version: 1.0.7
endpoints:
  assistants: { baseURL: '\${FAKE_PROVIDER}', titleConvo: false }
`;

let server: TestServer;
let api: FakeApi;
let alice: Client;
let keeper: Assistant;

beforeAll(async () => {
  api = await startFakeApi();
  server = await startTestServer({ yaml, env: env() });
  alice = await signUp(server.url, 'alice');
});
const env = () => ({ ASSISTANTS_API_KEY: 'fake', EGRESS_ALLOWED_HOSTS: api.host });

afterAll(async () => {
  await server.close();
  await api.close();
});

it('is made with a plugin by its name, a file and an action', async () => {
  const made = { name: 'Keeper', model: 'gpt-4', tools: ['calculator', { type: 'retrieval' }] };
  const created = await alice.post('/api/assistants', made);
  expect(created.status).toBe(201);
  const { id } = Assistant.parse(await created.json());

  const fields = { endpoint: 'assistants', assistant_id: id };
  const file = await upload(server.url, alice, { bytes: 'The mill is old.', name: 'mill.txt', fields });

  const auth = { type: 'service_http', authorization_type: 'custom', custom_auth_header: FAKE_API.header };
  const metadata = { domain: api.host, raw_spec: JSON.stringify(api.document), api_key: FAKE_API.key, auth };
  const saved = await alice.post(`/api/assistants/actions/${id}`, { functions: [{}], metadata, model: 'gpt-4' });
  expect(saved.status).toBe(200);
  const [document, assistant, action] = (await saved.json()) as [unknown, unknown, Record<string, unknown>];
  keeper = Assistant.parse(assistant);
  expect(keeper.file_ids).toEqual([file.file_id]);
  expect(namesOf(keeper).slice(0, 3)).toEqual(['calculator', 'retrieval', `listPets_action_${api.host}`]);
  expect(AssistantDocument.parse(document)).toMatchObject({
    assistant_id: id,
    file_ids: [file.file_id],
    actions: [`${api.host}_action_${String(action.action_id)}`],
  });
  expect(AssistantList.parse(await alice.json('/api/assistants'))).toMatchObject({
    data: [{ id }],
    first_id: id,
    last_id: id,
    has_more: false,
  });
});

it('tells a call of a plugin from its begin to its result, and the words after it', async () => {
  const frames = await ask('Compute. [[calculate:6 * 7]]');
  expect(frames.order).toEqual(['sync', 'text', 'part', 'text', 'final']);
  const call = { name: 'calculator', arguments: '{"input":"6 * 7"}', output: '42' };
  const part = { id: '0:0', type: 'function', progress: 1, function: call, action: false };
  expect(frames.parts[0]).toMatchObject({ index: 1, tool_call: { progress: 0.1, function: { name: 'calculator' } } });
  expect(frames.parts.at(-1)).toMatchObject({ index: 1, type: 'tool_call', tool_call: part });
  expect(frames.texts.at(-1)).toMatchObject({ index: 2, text: 'That is the result.' });
  expect(await answerOf(frames)).toMatchObject({
    text: 'Let me see. That is the result.',
    finish_reason: 'stop',
    unfinished: false,
    error: false,
    content: [
      { type: 'text', text: { value: 'Let me see. ' } },
      { type: 'tool_call', tool_call: part },
      { type: 'text', text: { value: 'That is the result.' } },
    ],
  });
});

it('calls its action at once: such a client has no question about it', async () => {
  const before = api.asked.length;
  const name = await toldName('customSecured');
  const frames = await ask(`Look. [[call-tool:${name} {} => There they are.]]`);
  expect(api.asked.slice(before)).toMatchObject([{ headers: { [FAKE_API.header.toLowerCase()]: FAKE_API.key } }]);
  expect(frames.order).toEqual(['sync', 'text', 'part', 'text', 'final']);
  const called = frames.parts.at(-1);
  expect(called).toMatchObject({ index: 1, tool_call: { progress: 1, action: true, function: { name } } });
  expect(JSON.stringify(called)).toContain('"output":"');
  expect(frames.texts.at(-1)).toMatchObject({ index: 2, text: 'There they are.' });
  expect(await answerOf(frames)).toMatchObject({ finish_reason: 'stop', content: [{}, { type: 'tool_call' }, {}] });
});

it('leaves what deletes to a question on the page', async () => {
  const before = api.asked.length;
  const name = await toldName('removePet');
  const frames = await ask(`Away. [[call-tool:${name} {"petId":"1"} => It is gone.]]`);
  expect(frames.order.at(-1)).toBe('final');
  expect(api.asked).toHaveLength(before);
  // The last part of its stream, too: existing clients draw the call as one that runs.
  const text = expect.stringMatching(
    /^127\S+ waits for your permission: DELETE \S+\/pets\/{petId}\. Open this chat in Parley to allow or deny it\.$/,
  );
  expect(frames.texts.at(-1)).toMatchObject({ index: 2, initial: true, text });
  expect(await answerOf(frames)).toMatchObject({
    finish_reason: 'tool_calls',
    unfinished: false,
    text: expect.stringContaining('Open this chat in Parley'),
    content: [{}, { type: 'tool_call' }, { type: 'text', text: { value: text } }],
  });
});

it('is deleted with its name in the answer', async () => {
  const { id } = keeper;
  const removed = await send(server.url, 'DELETE', `/api/assistants/${id}?model=gpt-4`, undefined, alice.headers);
  expect([removed.status, await removed.json()]).toEqual([200, { id, object: 'assistant.deleted', deleted: true }]);
  expect(await alice.json('/api/assistants')).toMatchObject({ data: [], first_id: null, last_id: null });
});

it('asks before every action where the operator wants it', async () => {
  await server.close();
  server = await startTestServer({ yaml, env: { ...env(), REST_ACTIONS_ASK: 'true' } });
  alice = await signUp(server.url, 'alice');
  const created = await alice.post('/api/assistants', { name: 'Keeper', model: 'gpt-4', tools: ['calculator'] });
  keeper = Assistant.parse(await created.json());
  const metadata = { domain: api.host, raw_spec: JSON.stringify(api.document) };
  await alice.post(`/api/assistants/actions/${keeper.id}`, { functions: [{}], metadata, model: 'gpt-4' });
  const before = api.asked.length;
  const frames = await ask(`Look. [[call-tool:${await toldName('listPets')} {} => There they are.]]`);
  expect(api.asked).toHaveLength(before);
  expect((await answerOf(frames))?.text).toMatch(/waits for your permission: GET .*Open this chat in Parley/);
  const computed = await ask('Compute. [[calculate:6 * 7]]');
  expect(await answerOf(computed)).toMatchObject({ finish_reason: 'stop' });
});

function namesOf({ tools }: Assistant): string[] {
  return tools.map((tool) => (tool.type === 'function' ? tool.function.name : tool.type));
}

/** What the model calls an operation: names at providers hold fewer characters. */
async function toldName(operation: string): Promise<string> {
  await ask('Hello [[plain]]');
  const { body } = server.provider.requests.findLast(({ scenario }) => scenario === 'plain') ?? {};
  const { tools = [] } = body as { tools?: { function: { name: string } }[] };
  return tools.map((tool) => tool.function.name).find((name) => name.startsWith(operation)) ?? '';
}

function ask(text: string): Promise<AssistantFrames> {
  const body = { text, assistant_id: keeper.id, endpoint: 'assistants', model: 'gpt-4', messageId: randomUUID() };
  return askAssistant(alice, { ...body, parentMessageId: NO_PARENT, conversationId: null });
}

async function answerOf({ sync }: AssistantFrames) {
  return (await alice.messages(sync?.conversationId ?? '')).at(-1);
}
