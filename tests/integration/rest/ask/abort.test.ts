import { once } from 'node:events';
import { randomUUID } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isAskedAbout } from '../../../support/exchange.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';
import { begin, finalOf, followUp, question, signUp, type Client } from '../../../support/rest/client.ts';
import { Final } from '../../../support/rest/client-rules.ts';

let server: TestServer;
let alice: Client;

beforeAll(async () => {
  server = await startTestServer();
  alice = await signUp(server.url, 'alice');
});
afterAll(() => server.close());

describe('stopping', () => {
  it('answers with the final event and keeps the text', async () => {
    const running = await begin(alice, question('Go on for ever', { model: 'fake:never-ending' }));
    const { conversationId } = running.created;
    const heard = await server.provider.waitForRequest(isAskedAbout('Go on for ever'));
    await running.untilText();

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
    await expect.poll(() => heard.closedEarly).toBe(true);
    // Who still reads the stream is sent the same.
    expect(finalOf(await running.rest())).toEqual(final);
    expect(finalOf(await alice.ask(followUp('Now me', final))).responseMessage.text).toBe('Now me');
  });

  it('leaves an empty answer that is no error before the first word', async () => {
    const running = await begin(alice, question('Hello?', { model: 'fake:silent' }));
    const stopped = await alice.stop(running.created.conversationId);
    const { responseMessage } = Final.parse(await stopped.json());
    expect(responseMessage).toMatchObject({ text: '', error: false, finish_reason: 'incomplete' });
    await running.rest();
  });

  it('works with the key in arg', async () => {
    const running = await begin(alice, question('Go on', { model: 'fake:never-ending' }));
    const arg = { abortKey: running.created.conversationId };
    expect((await alice.post('/api/ask/openAI/abort', { arg })).status).toBe(200);
    await running.rest();
  });

  it('stops the newest run by the id of the user', async () => {
    const running = await begin(alice, question('Go on', { model: 'fake:never-ending' }));
    expect((await alice.stop(alice.id)).status).toBe(200);
    await running.rest();
    expect((await alice.stop(alice.id)).status).toBe(204);
  });

  it.each([
    ['an unknown conversation', { abortKey: randomUUID() }],
    ['what is no id', { abortKey: 'new' }],
    ['nothing', {}],
  ])('%s returns 204', async (_, body) => {
    const stopped = await alice.post('/api/ask/custom/abort', body);
    expect(stopped.status).toBe(204);
    expect(await stopped.text()).toBe('');
  });

  describe('works before its client was notified of the ask', () => {
    let gate: Gate;
    let guarded: TestServer;
    let carol: Client;

    beforeAll(async () => {
      gate = await openGate();
      const env = {
        OPENAI_MODERATION: 'true',
        OPENAI_MODERATION_API_KEY: 'k',
        OPENAI_MODERATION_REVERSE_PROXY: gate.url,
      };
      guarded = await startTestServer({ env });
      carol = await signUp(guarded.url, 'carol');
    });
    afterAll(async () => {
      await guarded.close();
      await gate.close();
    });

    it.each([
      ['nothing', () => ''],
      ['new', () => 'new'],
      ['the id of the user', () => carol.id],
    ])('by %s stops a new chat', async (_, keyOf) => {
      const asked = carol.ask(question('Never said', { model: 'fake:never-ending' }));
      await gate.reached();
      const stopped = carol.stop(keyOf());
      gate.open();
      expect((await stopped).status).toBe(200);
      expect(finalOf(await asked).responseMessage).toMatchObject({ finish_reason: 'incomplete', error: false });
    });

    it('by the conversation stops its run, and the conversation continues', async () => {
      gate.open();
      const first = finalOf(await carol.ask(question('Hello')));
      const asked = carol.ask(followUp('Never said', first, { model: 'fake:never-ending' }));
      await gate.reached();
      const stopped = carol.stop(first.conversation.conversationId);
      gate.open();
      expect((await stopped).status).toBe(200);
      gate.open();
      expect(finalOf(await carol.ask(followUp('Go on', finalOf(await asked)))).responseMessage.text).toBe('Go on');
    });

    it('does not affect another conversation', async () => {
      const asked = carol.ask(question('Said to the end'));
      await gate.reached();
      expect((await carol.stop(randomUUID())).status).toBe(204);
      gate.open();
      expect(finalOf(await asked).responseMessage.text).toBe('Said to the end');
    });
  });

  it('an ended run returns 204', async () => {
    const { conversation } = finalOf(await alice.ask(question('Short')));
    expect((await alice.stop(conversation.conversationId)).status).toBe(204);
  });
});

type Gate = Awaited<ReturnType<typeof openGate>>;

/** A moderation that finds no fault, but lets nobody through before it is opened, one at a time. */
async function openGate() {
  const waiting: ServerResponse[] = [];
  let isAjar = false;
  const server = createServer((request, response) => {
    request.resume();
    waiting.push(response);
    if (isAjar) open();
    server.emit('reached');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');

  /** Lets who waits through, or who comes next. */
  function open() {
    const response = waiting.shift();
    isAjar = !response;
    response?.writeHead(200, { 'Content-Type': 'application/json' });
    response?.end(JSON.stringify({ id: 'm', model: 'm', results: [{ flagged: false }] }));
  }

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    reached: async () => waiting.length > 0 || (await once(server, 'reached')),
    open,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}
