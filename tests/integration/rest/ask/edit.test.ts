import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isAskedAbout } from '../../../support/exchange.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';
import {
  createdOf,
  errorOf,
  finalOf,
  followUp,
  NO_PARENT,
  question,
  readFrames,
  regenerate,
  signUp,
  textsOf,
  type Client,
} from '../../../support/rest/client.ts';
import { Final, type Final as Ended, type Frame } from '../../../support/rest/client-rules.ts';

/** What `fake:length` sends before it ends at its limit. */
const PARTIAL = 'This answer was going to be much longer, but';

let server: TestServer;
let alice: Client;

beforeAll(async () => {
  server = await startTestServer({
    yaml: `version: 1.0.7
endpoints:
  custom:
    - name: Elsewhere
      apiKey: fake
      baseURL: \${FAKE_PROVIDER}
      models:
        default: ['fake:echo', 'fake:length']
`,
  });
  alice = await signUp(server.url, 'alice');
});
afterAll(() => server.close());

describe('continuing an answer', () => {
  it('streams the whole text so far under the same id', async () => {
    const first = finalOf(await alice.ask(question('Go on then', { model: 'fake:length' })));
    const frames = await edit(continuing(first));
    expect(createdOf(frames)).toEqual({
      messageId: first.requestMessage.messageId,
      parentMessageId: NO_PARENT,
      conversationId: first.conversation.conversationId,
      sender: 'User',
      text: 'Go on then',
      isCreatedByUser: true,
    });
    const texts = textsOf(frames);
    expect(texts.every(({ text }) => text.startsWith(PARTIAL))).toBe(true);
    expect(texts.every(({ parentMessageId }) => parentMessageId === first.requestMessage.messageId)).toBe(true);
    const { responseMessage } = finalOf(frames);
    expect(responseMessage).toMatchObject({
      messageId: first.responseMessage.messageId,
      text: `${PARTIAL} Go on then`,
      finish_reason: 'stop',
    });
    const thread = await alice.messages(first.conversation.conversationId);
    expect(thread.map(({ text }) => text)).toEqual(['Go on then', `${PARTIAL} Go on then`]);
  });

  it('can be repeated while the answer is incomplete', async () => {
    const first = finalOf(await alice.ask(question('More and more', { model: 'fake:length' })));
    const second = finalOf(await edit(continuing(first, { model: 'fake:length' })));
    expect(second.responseMessage.text).toBe(`${PARTIAL} ${PARTIAL}`);
    const third = finalOf(await edit(continuing(second)));
    expect(third.responseMessage.text).toBe(`${PARTIAL} ${PARTIAL} More and more`);
  });

  it('goes on after a complete answer, too, once for each text', async () => {
    const first = finalOf(await alice.ask(question('All said')));
    expect(first.responseMessage).toMatchObject({ text: 'All said', finish_reason: 'stop' });
    const body = continuing(first);
    for (const final of [finalOf(await edit(body)), finalOf(await edit(body))])
      expect(final.responseMessage).toMatchObject({
        messageId: first.responseMessage.messageId,
        text: 'All said All said',
      });
  });

  it('stops at its own path', async () => {
    const first = finalOf(await alice.ask(question('Stop it here', { model: 'fake:length' })));
    const { conversationId } = first.conversation;
    const frames = readFrames(await alice.post('/api/edit/openAI', continuing(first, { model: 'fake:never-ending' })));
    await frames.next();
    const written = async () => (await alice.messages(conversationId)).at(-1)?.text.length;
    await expect.poll(written).toBeGreaterThan(PARTIAL.length);
    const stopped = await alice.post('/api/edit/openAI/abort', { abortKey: conversationId, endpoint: 'openAI' });
    const { responseMessage } = Final.parse(await stopped.json());
    expect(responseMessage).toMatchObject({ finish_reason: 'incomplete', unfinished: false, error: false });
    expect(responseMessage.text.startsWith(PARTIAL)).toBe(true);
    for await (const _ of frames);
    expect((await alice.post('/api/edit/custom/abort', { abortKey: conversationId })).status).toBe(204);
  });

  it('sent twice runs once, at the same time, during the run and after its end', async () => {
    const first = finalOf(await alice.ask(question('Once is enough [[tokens:40@20]]', { model: 'fake:length' })));
    const body = continuing(first, { model: 'gpt-4' });
    const early = readFrames(await alice.post('/api/edit/openAI', body));
    await early.next();
    const [one, two] = await Promise.all([edit(body), edit(body)]);
    for await (const _ of early);
    const three = await edit(body);
    expect(finalOf(one).responseMessage.text.length).toBeGreaterThan(PARTIAL.length);
    for (const frames of [two, three]) expect(finalOf(frames).responseMessage).toEqual(finalOf(one).responseMessage);
    expect(asked('Once is enough')).toBe(2);
    const both = continuing(finalOf(await alice.ask(question('Both at once', { model: 'fake:length' }))));
    const [left, right] = await Promise.all([edit(both), edit(both)]);
    expect(finalOf(left).responseMessage).toEqual(finalOf(right).responseMessage);
    expect(asked('Both at once')).toBe(2);
  });

  it('works for an answer without text', async () => {
    const first = finalOf(await alice.ask(question('Say it then', { model: 'fake:length' })));
    const body = continuing(first, { model: 'fake:error-500' });
    for (const times of [2, 3]) {
      expect(finalOf(await edit(body)).responseMessage.text).toBe(PARTIAL);
      expect(asked('Say it then')).toBe(times);
    }
    expect(finalOf(await edit(continuing(first))).responseMessage.text).toBe(`${PARTIAL} Say it then`);
  });

  it('works with any compatible provider', async () => {
    const custom = { endpoint: 'Elsewhere', endpointType: 'custom' };
    const first = finalOf(await alice.ask(question('Of another', { ...custom, model: 'fake:length' }), 'custom'));
    const final = finalOf(await edit(continuing(first, custom), 'custom'));
    expect(final.responseMessage.text).toBe(`${PARTIAL} Of another`);
    expect(errorOf(await edit(continuing(first, custom), 'openAI')).text).toContain('does not belong');
  });

  it('works with the fields of older clients', async () => {
    const first = finalOf(await alice.ask(question('An older one', { model: 'fake:length' })));
    const final = finalOf(await alice.ask(continuing(first, { isEdited: true })));
    expect(final.responseMessage.messageId).toBe(first.responseMessage.messageId);
  });

  it('during another run is refused as a limit, under the question', async () => {
    const first = finalOf(await alice.ask(question('Two at once', { model: 'fake:length' })));
    const running = readFrames(await alice.post('/api/edit/openAI', continuing(first, { model: 'fake:never-ending' })));
    await running.next();
    const refused = await edit(continuing(first));
    expect(createdOf(refused)).toMatchObject({ messageId: first.requestMessage.messageId, text: 'Two at once' });
    expect(JSON.parse(errorOf(refused).text)).toMatchObject({ type: 'concurrent' });
    expect(errorOf(refused)).toMatchObject({ parentMessageId: first.requestMessage.messageId });
    await alice.post('/api/edit/openAI/abort', { abortKey: first.conversation.conversationId });
    for await (const _ of running);
  });

  it.each([
    ['no answer', { responseMessageId: null }],
    ['an unknown answer', { responseMessageId: randomUUID() }],
    ['a provisional id', { responseMessageId: `${randomUUID()}_` }],
  ])('of %s is refused with a sentence', async (_, over) => {
    const first = finalOf(await alice.ask(question('Nothing to go on', { model: 'fake:length' })));
    const frames = await edit(continuing(first, over));
    expect(frames).toMatchObject([{ event: 'error', data: { text: expect.any(String) } }]);
    expect(await alice.messages(first.conversation.conversationId)).toHaveLength(2);
  });
});

describe('an edited answer', () => {
  it('continues as a sibling, from its edited text', async () => {
    const first = finalOf(await alice.ask(question('Make it better')));
    const frames = await edit(editing(first, 'Better: '));
    expect(createdOf(frames)).toMatchObject({ messageId: first.requestMessage.messageId, text: 'Make it better' });
    expect(textsOf(frames).every(({ text }) => text.startsWith('Better: '))).toBe(true);
    const { responseMessage } = finalOf(frames);
    expect(responseMessage).toMatchObject({
      parentMessageId: first.requestMessage.messageId,
      text: 'Better: Make it better',
      isEdited: true,
    });
    expect(responseMessage.messageId).not.toBe(first.responseMessage.messageId);
    const thread = await alice.messages(first.conversation.conversationId);
    expect(thread.map(({ text }) => text)).toEqual(['Make it better', 'Make it better', 'Better: Make it better']);
    const asked = server.provider.requests.filter(isAskedAbout('Make it better')).at(-1);
    expect(asked?.body).toMatchObject({ messages: [{ role: 'user' }, { role: 'assistant', content: 'Better: ' }] });
  });

  it('is continued after a space when it ends in a word', async () => {
    const first = finalOf(await alice.ask(question('Hello!')));
    const frames = await edit(editing(first, 'Edited beginning'));
    expect(textsOf(frames).at(-1)).toMatchObject({ text: 'Edited beginning Hello!' });
    expect(finalOf(frames).responseMessage.text).toBe('Edited beginning Hello!');
    const thread = await alice.messages(first.conversation.conversationId);
    expect(thread.at(-1)?.text).toBe('Edited beginning Hello!');
  });

  it('sent twice is made once', async () => {
    const first = finalOf(await alice.ask(question('Sent twice')));
    const body = editing(first, 'Once: ');
    const [one, two] = await Promise.all([edit(body), edit(body)]);
    expect(finalOf(two).responseMessage).toEqual(finalOf(one).responseMessage);
    expect(await alice.messages(first.conversation.conversationId)).toHaveLength(3);
  });

  it('is refused without a text', async () => {
    const first = finalOf(await alice.ask(question('Empty')));
    expect(await edit(editing(first, ' '))).toMatchObject([{ event: 'error' }]);
  });
});

describe('regenerating', () => {
  it('gives another answer each time with the id of the question', async () => {
    const first = finalOf(await alice.ask(question('Once more')));
    const body = regenerate(first, { messageId: first.requestMessage.messageId });
    const second = finalOf(await alice.ask(body));
    const third = finalOf(await alice.ask({ ...body, responseMessageId: second.responseMessage.messageId }));
    const answers = [first, second, third].map(({ responseMessage }) => responseMessage.messageId);
    expect(new Set(answers).size).toBe(3);
    expect(await alice.messages(first.conversation.conversationId)).toHaveLength(4);
  });

  it('gives another answer to the same question', async () => {
    const first = finalOf(await alice.ask(question('Again, please')));
    const second = finalOf(await alice.ask(regenerate(first)));
    expect(second.responseMessage.parentMessageId).toBe(first.requestMessage.messageId);
    const after = finalOf(await alice.ask(followUp('And then?', second)));
    expect(after.requestMessage.parentMessageId).toBe(second.responseMessage.messageId);
  });
});

/** How often the provider was asked for an answer to this. */
function asked(text: string): number {
  return server.provider.requests.filter(isAskedAbout(text)).length;
}

/** Reads to the end; each frame is held against the client's rules. */
async function edit(body: object, path = 'openAI'): Promise<Frame[]> {
  const frames: Frame[] = [];
  for await (const frame of readFrames(await alice.post(`/api/edit/${path}`, body))) frames.push(frame);
  return frames;
}

/** The body for more of the same answer, as such a client sends it: with the question under its own id. */
function continuing({ conversation, requestMessage, responseMessage }: Ended, over: object = {}) {
  const { messageId, parentMessageId, text } = requestMessage;
  return question(text, {
    conversationId: conversation.conversationId,
    messageId,
    parentMessageId,
    overrideParentMessageId: messageId,
    responseMessageId: responseMessage.messageId,
    generation: responseMessage.text,
    isContinued: true,
    ...over,
  });
}

/** The body for an answer that goes on from an edited text. */
function editing({ conversation, requestMessage, responseMessage }: Ended, generation: string) {
  const { messageId: overrideParentMessageId, parentMessageId, text } = requestMessage;
  return question(text, {
    conversationId: conversation.conversationId,
    parentMessageId,
    overrideParentMessageId,
    responseMessageId: responseMessage.messageId,
    generation,
    isContinued: false,
  });
}
