// The journey of an existing client with an assistant, each answer compared with what such a client requires.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isAskedAbout } from '../../../support/exchange.ts';
import {
  askAssistant,
  Assistant,
  AssistantDocument,
  AssistantList,
  BrokenEnd,
  type AssistantFrames,
} from '../../../support/rest/assistant-rules.ts';
import { NO_PARENT, question, send, signUp, type Client } from '../../../support/rest/client.ts';
import { RestPlugin } from '../../../support/rest/plugin-rules.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';
import { formOf, postForm, upload } from '../../../support/uploads.ts';

let server: TestServer;
let alice: Client;
let bob: Client;

const env = {
  ASSISTANTS_API_KEY: 'fake',
  ASSISTANTS_MODELS: 'fake:echo,fake:plain,fake:never-ending,fake:tool,gpt-4',
};
const yaml = `
version: 1.0.7
endpoints:
  assistants:
    baseURL: \${FAKE_PROVIDER}
    disableBuilder: false
    titleConvo: false
`;

beforeAll(async () => {
  server = await startTestServer({ env, yaml });
  alice = await signUp(server.url, 'alice');
  bob = await signUp(server.url, 'bob');
});
afterAll(() => server.close());

describe('the endpoint of assistants', () => {
  it('is listed with what its form offers', async () => {
    expect(await alice.json('/api/endpoints')).toMatchObject({
      assistants: {
        userProvide: false,
        userProvideURL: false,
        retrievalModels: [
          'gpt-4-turbo-preview',
          'gpt-3.5-turbo-0125',
          'gpt-4-0125-preview',
          'gpt-4-1106-preview',
          'gpt-3.5-turbo-1106',
          'gpt-4-turbo',
          'gpt-4-0125',
          'gpt-4-1106',
        ],
        capabilities: ['code_interpreter', 'image_vision', 'retrieval', 'actions', 'tools'],
        disableBuilder: false,
        order: 1,
      },
    });
    expect(await alice.json('/api/models')).toMatchObject({ assistants: env.ASSISTANTS_MODELS.split(',') });
  });

  it('is asked at its own path only', async () => {
    const response = await alice.post('/api/ask/assistants', chat('Hi'));
    expect(await response.text()).toContain('Unknown endpoint: assistants');
  });
});

describe('assistants', () => {
  it('are created, listed, changed and deleted', async () => {
    const response = await alice.post('/api/assistants', {
      name: 'Poet',
      description: 'Writes verse',
      instructions: 'Rhyme',
      model: 'fake:echo',
      tools: [{ type: 'code_interpreter' }, 'image_vision', 'no such tool'],
      metadata: { author: 'Alice' },
    });
    expect(response.status).toBe(201);
    const made = Assistant.parse(await response.json());
    expect(made).toMatchObject({
      name: 'Poet',
      description: 'Writes verse',
      instructions: 'Rhyme',
      model: 'fake:echo',
      tools: [{ type: 'code_interpreter' }, { type: 'function', function: { name: 'image_vision' } }],
      file_ids: [],
      metadata: { author: 'Alice' },
    });
    expect(Math.abs(made.created_at * 1000 - Date.now())).toBeLessThan(24 * 60 * 60_000);
    expect(await alice.json(`/api/assistants/${made.id}`)).toEqual(made);

    const changed = await patch(alice, made.id, { name: 'Bard', model: 'fake:plain' });
    expect(changed.status).toBe(200);
    // Tools that are left out are taken away.
    const bard = { ...made, name: 'Bard', model: 'fake:plain', tools: [] };
    expect(Assistant.parse(await changed.json())).toEqual(bard);

    const other = await create({ name: 'Other' });
    const all = AssistantList.parse(await alice.json('/api/assistants?order=desc&limit=100'));
    expect(all).toEqual({
      object: 'list',
      data: [other, bard],
      first_id: other.id,
      last_id: made.id,
      has_more: false,
    });
    expect(await alice.json('/api/assistants?order=asc&limit=1')).toMatchObject({ data: [bard], has_more: true });
    expect(await alice.json(`/api/assistants?after=${other.id}`)).toMatchObject({ data: [bard] });
    expect(await alice.json(`/api/assistants?before=${made.id}`)).toMatchObject({ data: [other] });

    const removed = await remove(alice, `${made.id}?model=fake:plain`);
    expect(removed.status).toBe(200);
    expect(await removed.json()).toEqual({ id: made.id, object: 'assistant.deleted', deleted: true });
    expect((await alice.get(`/api/assistants/${made.id}`)).status).toBe(404);
    await remove(alice, other.id);
    expect(await alice.json('/api/assistants')).toEqual({
      object: 'list',
      data: [],
      first_id: null,
      last_id: null,
      has_more: false,
    });
  });

  it('may have null for every field that is not set', async () => {
    const absent = { name: null, description: null, instructions: null, tools: null, file_ids: null, metadata: null };
    const response = await alice.post('/api/assistants', { model: 'gpt-4', ...absent });
    expect(response.status).toBe(201);
    const { id, ...made } = Assistant.parse(await response.json());
    expect(made).toMatchObject({ name: null, tools: [], file_ids: [], metadata: {} });
    const changed = await send(server.url, 'PATCH', `/api/assistants/${id}`, absent, alice.headers);
    expect(Assistant.parse(await changed.json())).toEqual({ id, ...made });
    await send(server.url, 'DELETE', `/api/assistants/${id}`, undefined, alice.headers);
  });

  it('may be saved with the name of their endpoint, as later clients send it', async () => {
    const response = await alice.post('/api/assistants', { model: 'fake:echo', endpoint: 'assistants' });
    expect(response.status).toBe(201);
    const made = Assistant.parse(await response.json());
    expect(made).not.toHaveProperty('endpoint');
    const changed = await patch(alice, made.id, { model: 'fake:echo', endpoint: 'assistants', name: 'Same' });
    expect(Assistant.parse(await changed.json())).toEqual({ ...made, name: 'Same' });
    expect((await alice.post('/api/assistants', { model: 'm', endpoint: 'bingAI' })).status).toBe(404);
    await remove(alice, made.id);
  });

  it("say why they can't be saved", async () => {
    const response = await alice.post('/api/assistants', { model: 'm', name: 'x'.repeat(257) });
    expect(response.status).toBe(500);
    expect(await response.json()).toMatchObject({ error: expect.stringContaining('at most 256') });
  });

  it.each(['GET', 'DELETE'])('whose id cannot exist are not found: %s', async (method) => {
    const paths = ['%00', 'asst_nothing'].map((id) => `/api/assistants/${id}`);
    if (method === 'DELETE') paths.push('/api/assistants/actions/asst_nothing/%00/gpt-4');
    for (const path of paths)
      expect((await send(server.url, method, path, undefined, alice.headers)).status, path).toBe(404);
  });

  it('can be given the plugins that work for assistants, and the seeing of images', async () => {
    const tools = RestPlugin.array().parse(await alice.json('/api/assistants/tools'));
    const plugins = RestPlugin.array().parse(await alice.json('/api/plugins'));
    expect(tools.map(({ pluginKey }) => pluginKey)).toEqual([
      'traversaal_search',
      'google',
      'wolfram',
      'dalle',
      'tavily_search_results_json',
      'calculator',
      'stable-diffusion',
      'azure-ai-search',
      'image_vision',
    ]);
    expect(plugins).toEqual(expect.arrayContaining(tools.slice(0, -1)));
    const fields = tools.map(({ authConfig }) => authConfig.map(({ authField }) => authField));
    expect(fields.slice(1, 4)).toEqual([
      ['GOOGLE_CSE_ID', 'GOOGLE_SEARCH_API_KEY'],
      ['WOLFRAM_APP_ID'],
      ['DALLE3_API_KEY||DALLE_API_KEY'],
    ]);
  });

  it('have documents and actions', async () => {
    const made = await create({ name: 'Keeper' });
    const documents = AssistantDocument.array().parse(await alice.json('/api/assistants/documents'));
    expect(documents).toContainEqual(
      expect.objectContaining({ user: alice.id, assistant_id: made.id, file_ids: [], actions: [] }),
    );
    expect(await alice.json('/api/assistants/actions')).toEqual([]);
    const path = `/api/assistants/actions/${made.id}`;
    const without = await alice.post(path, { functions: [], metadata: { domain: 'a.example' } });
    expect([without.status, await without.json()]).toEqual([400, { message: 'No functions provided' }]);
    const nowhere = await alice.post(path, { functions: [{}], metadata: {} });
    expect([nowhere.status, await nowhere.json()]).toEqual([400, { message: 'No domain provided' }]);
    const gone = await send(server.url, 'DELETE', `${path}/nothing/gpt-4`, undefined, alice.headers);
    expect(gone.status).toBe(404);
  });

  it('have an avatar of 150 by 150, kept through changes and replaced', async () => {
    const made = await create({ name: 'Face' });
    const first = await putAvatar(alice, made.id);
    expect(first.status).toBe(201);
    const seen = Assistant.parse(await first.json());
    expect(seen.metadata).toEqual({ avatar: expect.stringMatching(/^\/images\/.*\.png$/), avatar_source: 'local' });
    const renamed = await patch(alice, made.id, { name: 'Same face', model: 'fake:echo' });
    expect(Assistant.parse(await renamed.json()).metadata).toEqual(seen.metadata);
    const second = Assistant.parse(await (await putAvatar(alice, made.id)).json());
    expect(second.metadata.avatar).not.toBe(seen.metadata.avatar);
    // The avatar of the user is another image.
    const form = new FormData();
    form.append('input', new Blob([await image()], { type: 'image/png' }), 'me.png');
    form.append('manual', 'true');
    expect((await postForm(server.url, alice, '/api/files/images/avatar', form)).status).toBe(200);
    expect(Assistant.parse(await alice.json(`/api/assistants/${made.id}`)).metadata).toEqual(second.metadata);
    const foreign = await putAvatar(bob, made.id);
    expect(foreign.status).toBe(404);
  });

  it('get the files that are uploaded for them, and lose those that are deleted', async () => {
    const made = await create();
    const fields = { endpoint: 'assistants', assistant_id: made.id, model: 'fake:echo' };
    const kept = await upload(server.url, alice, { bytes: 'For you', name: 'for.txt', fields });
    const passing = { ...fields, message_file: 'true' };
    const other = await upload(server.url, alice, { bytes: 'For a message', name: 'other.txt', fields: passing });
    expect(kept).toMatchObject({ context: 'assistants', usage: 1 });
    expect(kept).not.toHaveProperty('expiresAt');
    expect(other).toMatchObject({ context: 'message_attachment', usage: 0 });
    expect(await alice.json(`/api/assistants/${made.id}`)).toMatchObject({ file_ids: [kept.file_id] });
    const files = [{ file_id: kept.file_id, filepath: kept.filepath }];
    await send(server.url, 'DELETE', '/api/files', { files, assistant_id: made.id }, alice.headers);
    expect(await alice.json(`/api/assistants/${made.id}`)).toMatchObject({ file_ids: [] });
  });
});

describe('a chat with an assistant', () => {
  it('begins with sync, continues with the text so far and ends without the answer', async () => {
    const { id } = await create({ name: 'Echo', instructions: 'Say it again' });
    const body = chat('Tell me what I say', {
      assistant_id: id,
      promptPrefix: 'Be brief',
      instructions: 'Say it twice',
    });
    const frames = await askAssistant(alice, body);
    expect(frames.order).toEqual(['sync', 'text', 'final']);
    const { conversationId, thread_id: thread, messageId } = syncOf(frames).responseMessage;
    expect(thread).toBe(`thread_${conversationId}`);
    expect(frames.sync).toEqual({
      sync: true,
      conversationId,
      requestMessage: {
        user: alice.id,
        text: body.text,
        messageId: body.messageId,
        parentMessageId: NO_PARENT,
        files: [],
        file_ids: [],
        conversationId,
        isCreatedByUser: true,
        assistant_id: id,
        thread_id: thread,
        model: id,
      },
      responseMessage: {
        user: alice.id,
        messageId,
        parentMessageId: body.messageId,
        conversationId,
        assistant_id: id,
        thread_id: thread,
        model: id,
      },
    });
    for (const [at, one] of frames.texts.entries()) {
      expect(one).toMatchObject({ index: 0, initial: at === 0, thread_id: thread, messageId, conversationId });
      expect(body.text.startsWith(one.text)).toBe(true);
    }
    expect(frames.texts.at(-1)?.text).toBe(body.text);
    expect(frames.final).toEqual({
      final: true,
      conversation: {
        conversationId,
        endpoint: 'assistants',
        promptPrefix: 'Be brief',
        instructions: 'Say it twice',
        assistant_id: id,
      },
      requestMessage: { parentMessageId: NO_PARENT, thread_id: thread },
    });
    const asked = await server.provider.waitForRequest(isAskedAbout(body.text));
    expect(JSON.stringify(asked.body)).toContain('Say it twice\\n\\nBe brief');

    const [question, answer] = await alice.messages(conversationId);
    expect(question).toMatchObject({ messageId: body.messageId, thread_id: thread, text: body.text });
    expect(answer).toMatchObject({
      messageId,
      model: id,
      sender: 'Echo',
      endpoint: 'assistants',
      thread_id: thread,
      text: body.text,
      content: [{ type: 'text', text: { value: body.text } }],
    });
    expect(await alice.json(`/api/convos/${conversationId}`)).toMatchObject({
      endpoint: 'assistants',
      assistant_id: id,
      instructions: 'Say it twice',
      promptPrefix: 'Be brief',
    });
  });

  it('goes on in the same thread', async () => {
    const { id } = await create();
    const first = syncOf(await askAssistant(alice, chat('My name is Alice.', { assistant_id: id })));
    const { conversationId, messageId: parentMessageId, thread_id } = first.responseMessage;
    const more = { assistant_id: id, conversationId, parentMessageId, thread_id };
    const second = await askAssistant(alice, chat('What is my name, friend?', more));
    expect(syncOf(second).requestMessage).toMatchObject({ conversationId, parentMessageId, thread_id });
    expect(second.final?.requestMessage).toEqual({ parentMessageId, thread_id });
    const asked = await server.provider.waitForRequest(isAskedAbout('What is my name, friend?'));
    expect(asked.body).toMatchObject({ messages: [{ content: 'My name is Alice.' }, {}, {}] });
  });

  it('goes on with an answer at the path for edits, under the same id', async () => {
    const { id } = await create();
    const body = chat('Say more', { assistant_id: id });
    const { requestMessage, responseMessage } = syncOf(await askAssistant(alice, body));
    const { conversationId, messageId, thread_id } = responseMessage;
    const more = await askAssistant(
      alice,
      chat(body.text, {
        assistant_id: id,
        conversationId,
        thread_id,
        parentMessageId: requestMessage.messageId,
        overrideParentMessageId: requestMessage.messageId,
        messageId: `${messageId}_`,
        responseMessageId: messageId,
        generation: body.text,
        isContinued: true,
        isEdited: true,
      }),
      { path: '/api/assistants/chat/modify' },
    );
    expect(more.order).toEqual(['sync', 'text', 'final']);
    expect(syncOf(more).responseMessage).toEqual(responseMessage);
    const thread = await alice.messages(conversationId);
    expect(thread.map((message) => [message.messageId, message.text])).toEqual([
      [body.messageId, 'Say more'],
      [messageId, 'Say more Say more'],
    ]);
  });

  it('shows files of the question', async () => {
    const { id } = await create();
    const fields = { endpoint: 'assistants', assistant_id: id, message_file: 'true' };
    const file = await upload(server.url, alice, { bytes: 'The mill is old.', name: 'mill.txt', fields });
    const frames = await askAssistant(alice, chat('What is old?', { assistant_id: id, files: [file] }));
    expect(frames.sync?.requestMessage).toMatchObject({
      files: [{ file_id: file.file_id, filename: 'mill.txt' }],
      file_ids: [file.file_id],
    });
    expect(frames.texts.at(-1)?.text).toContain('The mill is old.');
  });

  it('tells calls as content parts', async () => {
    const { id } = await create({ model: 'fake:tool' });
    const frames = await askAssistant(alice, chat('Call', { assistant_id: id, model: 'fake:tool' }));
    const calls = frames.parts.filter(({ type }) => type === 'tool_call');
    expect(calls.length).toBeGreaterThan(0);
    expect(calls.map(({ index }) => index)).toContain(1);
    expect(calls.at(-1)).toMatchObject({ tool_call: { type: 'function', function: { name: expect.any(String) } } });
  });

  it('ends with all messages when it is stopped, for the reader and for the one who stops', async () => {
    const { id } = await create({ model: 'fake:never-ending' });
    const body = chat('Go on', { assistant_id: id, model: 'fake:never-ending' });
    let key = '';
    const reading = askAssistant(alice, body, {
      onSync: ({ conversationId, responseMessage }) => {
        key = `${conversationId}:${responseMessage.messageId}`;
      },
    });
    await expect.poll(() => key).not.toBe('');
    const heard = await server.provider.waitForRequest(isAskedAbout('Go on'));
    await expect.poll(() => heard.said).toBeGreaterThan(5);
    expect((await abort(bob, key)).status).toBe(204);
    // Older clients put an `arg` around it.
    const response = await alice.post('/api/assistants/chat/abort', { arg: { abortKey: key } });
    expect(response.status).toBe(200);
    const stopped = BrokenEnd.parse(await response.json());
    expect(stopped.conversation).toMatchObject({ endpoint: 'assistants', assistant_id: id });
    expect(stopped.runMessages).toMatchObject([
      { messageId: body.messageId, isCreatedByUser: true },
      { isCreatedByUser: false, finish_reason: 'incomplete', unfinished: false, error: false },
    ]);
    expect(stopped.conversation.messages).toEqual(stopped.runMessages.map(({ messageId }) => messageId));
    expect((await reading).broken?.runMessages).toEqual(stopped.runMessages);
    // There is nothing left to stop.
    expect((await abort(alice, key)).status).toBe(204);
  });

  it('ends with all messages when it fails, the last of them with the reason', async () => {
    const { id } = await create({ model: 'gpt-4' });
    const frames = await askAssistant(alice, chat('Fail [[error-500]]', { assistant_id: id, model: 'gpt-4' }));
    expect(frames.final).toBeUndefined();
    expect(frames.broken?.runMessages.at(-1)).toMatchObject({
      error: true,
      content: [{ type: 'error', text: { value: expect.any(String) } }],
    });
  });

  it.each([
    ['no assistant', () => ({})],
    ['an unknown assistant', () => ({ assistant_id: `asst_${'x'.repeat(24)}` })],
    ['an id that the database cannot hold', () => ({ assistant_id: 'asst_\u0000' })],
  ])('with %s is refused in the stream', async (_, over) => {
    const frames = await askAssistant(alice, chat('Hi', over()));
    expect(frames.order).toEqual(['error']);
    const told = { text: 'The assistant was not found.', sender: 'Assistant', error: true, isCreatedByUser: false };
    expect(frames.errors).toEqual([expect.objectContaining(told)]);
  });

  it('stops nothing by a key that is none', async () => {
    expect((await abort(alice, 'nothing')).status).toBe(400);
    expect(await (await abort(alice, 'nothing:else')).json()).toEqual({ message: 'Invalid conversationId' });
    expect((await abort(alice, `${randomUUID()}:${randomUUID()}`)).status).toBe(204);
  });
});

describe('another user', () => {
  it('finds, changes, deletes and asks none of her assistants', async () => {
    const { id } = await create({ name: 'Hers' });
    expect((await bob.get(`/api/assistants/${id}`)).status).toBe(404);
    expect((await patch(bob, id, { model: 'fake:echo', name: 'His' })).status).toBe(404);
    expect((await remove(bob, id)).status).toBe(404);
    expect((await bob.get(`/api/assistants?after=${id}`)).status).toBe(404);
    const saving = { functions: [{}], metadata: { domain: 'a.example', raw_spec: '{}' } };
    expect((await bob.post(`/api/assistants/actions/${id}`, saving)).status).toBe(404);
    expect((await askAssistant(bob, chat('Hi', { assistant_id: id }))).order).toEqual(['error']);
    expect(await bob.json('/api/assistants')).toMatchObject({ data: [] });
    expect(await bob.json('/api/assistants/documents')).toEqual([]);
    expect(await alice.json(`/api/assistants/${id}`)).toMatchObject({ name: 'Hers' });
  });
});

async function create(over: object = {}): Promise<Assistant> {
  const response = await alice.post('/api/assistants', { model: 'fake:echo', ...over });
  return Assistant.parse(await response.json());
}

function patch(client: Client, id: string, body: object): Promise<Response> {
  return send(server.url, 'PATCH', `/api/assistants/${id}`, body, client.headers);
}

function remove(client: Client, id: string): Promise<Response> {
  return send(server.url, 'DELETE', `/api/assistants/${id}`, undefined, client.headers);
}

function abort(client: Client, abortKey: string): Promise<Response> {
  return client.post('/api/assistants/chat/abort', { abortKey, endpoint: 'assistants' });
}

async function image(): Promise<Uint8Array<ArrayBuffer>> {
  const { default: sharp } = await import('sharp');
  const color = { r: Math.floor(Math.random() * 256), g: 80, b: Math.floor(Math.random() * 256) };
  return new Uint8Array(
    await sharp({ create: { width: 300, height: 200, channels: 3, background: color } })
      .png()
      .toBuffer(),
  );
}

async function putAvatar(client: Client, id: string): Promise<Response> {
  const form = formOf({ bytes: await image(), name: 'face.png', type: 'image/png', fields: { metadata: '{}' } });
  return postForm(server.url, client, `/api/assistants/avatar/${id}?model=fake:echo`, form);
}

function syncOf({ sync, errors }: AssistantFrames) {
  if (!sync) throw new Error(`The stream did not begin with sync: ${JSON.stringify(errors)}`);
  return sync;
}

/** The body of a question, as such a client sends it. */
function chat(text: string, over: object = {}) {
  return question(text, { endpoint: 'assistants', ...over });
}
