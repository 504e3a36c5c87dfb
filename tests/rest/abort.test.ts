import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isAskedAbout } from '../support/exchange.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { begin, finalOf, followUp, question, signUp, type Client } from './client.ts';
import { Final } from './client-rules.ts';

let server: TestServer;
let alice: Client;

beforeAll(async () => {
  server = await startTestServer();
  alice = await signUp(server.url, 'alice');
});
afterAll(() => server.close());

describe('stopping', () => {
  it('answers with the final event and keeps what was said', async () => {
    const running = await begin(alice, question('Go on for ever', { model: 'fake:never-ending' }));
    const { conversationId } = running.created;
    const heard = await server.provider.waitForRequest(isAskedAbout('Go on for ever'), 2000);
    await expect.poll(() => heard.said).toBeGreaterThan(20);

    const stopped = await alice.stop(conversationId);
    expect(stopped.status).toBe(200);
    const final = Final.parse(await stopped.json());
    expect(final.responseMessage).toMatchObject({
      finish_reason: 'incomplete',
      unfinished: false,
      error: false,
      tokenCount: expect.any(Number),
    });
    expect(final.responseMessage.text.length).toBeGreaterThan(0);
    expect((await alice.messages(conversationId)).at(-1)?.text).toBe(final.responseMessage.text);
    await expect.poll(() => heard.closedEarly, { timeout: 1000 }).toBe(true);
    // Who still reads the stream is told the same.
    expect(finalOf(await running.rest())).toEqual(final);
    expect(finalOf(await alice.ask(followUp('Now me', final))).responseMessage.text).toBe('Now me');
  });

  it('before the first word leaves an empty answer that is no error', async () => {
    const running = await begin(alice, question('Hello?', { model: 'fake:silent' }));
    const stopped = await alice.stop(running.created.conversationId);
    const { responseMessage } = Final.parse(await stopped.json());
    expect(responseMessage).toMatchObject({ text: '', error: false, finish_reason: 'incomplete' });
    await running.rest();
  });

  it('with the key in arg is the same', async () => {
    const running = await begin(alice, question('Go on', { model: 'fake:never-ending' }));
    const arg = { abortKey: running.created.conversationId };
    expect((await alice.post('/api/ask/openAI/abort', { arg })).status).toBe(200);
    await running.rest();
  });

  it('by the id of the user stops the newest', async () => {
    const running = await begin(alice, question('Go on', { model: 'fake:never-ending' }));
    expect((await alice.stop(alice.id)).status).toBe(200);
    await running.rest();
    expect((await alice.stop(alice.id)).status).toBe(204);
  });

  it.each([
    ['an unknown conversation', { abortKey: randomUUID() }],
    ['what is no id', { abortKey: 'new' }],
    ['nothing', {}],
  ])('%s has no content', async (_, body) => {
    const stopped = await alice.post('/api/ask/custom/abort', body);
    expect(stopped.status).toBe(204);
    expect(await stopped.text()).toBe('');
  });

  it('what has ended has no content', async () => {
    const { conversation } = finalOf(await alice.ask(question('Short')));
    expect((await alice.stop(conversation.conversationId)).status).toBe(204);
  });
});
