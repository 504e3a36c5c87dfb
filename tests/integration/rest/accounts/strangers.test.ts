import { routes } from '@parley/server/rest/routes';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../../../support/server.ts';
import {
  NO_PARENT,
  begin,
  errorOf,
  finalOf,
  followUp,
  question,
  regenerate,
  send,
  signUp,
  type Client,
} from '../../../support/rest/client.ts';
import type { Final } from '../../../support/rest/client-rules.ts';

let server: TestServer;
let alice: Client;
let bob: Client;
let hers: Final;

beforeAll(async () => {
  server = await startTestServer();
  alice = await signUp(server.url, 'alice');
  bob = await signUp(server.url, 'bob');
  hers = finalOf(await alice.ask(question('For my eyes only')));
});
afterAll(() => server.close());

describe('a visitor', () => {
  it('may call these paths and no other', () => {
    expect(routes.filter(({ isPublic }) => isPublic).map(({ method, path }) => `${method} ${path}`)).toEqual([
      'POST /api/auth/login',
      'POST /api/auth/register',
      'POST /api/auth/refresh',
      'POST /api/auth/requestPasswordReset',
      'POST /api/auth/resetPassword',
      'POST /api/user/verify',
      'POST /api/user/verify/resend',
      'POST /api/auth/2fa/verify-temp',
      'GET /api/config',
      'GET /api/endpoints',
      'GET /api/endpoints/config/override',
      'GET /api/banner',
      'GET /api/prompts',
      'GET /api/share/:shareId',
    ]);
  });

  it.each(routes.filter(({ isPublic }) => !isPublic).map(({ method, path }) => [method, path]))(
    'is refused at %s %s, with a forged token, too',
    async (method, path) => {
      const filled = path.replaceAll(/:\w+/g, hers.conversation.conversationId);
      const body = method === 'POST' ? {} : undefined;
      for (const authorization of ['', 'Bearer a.b.c', 'Basic YTpi']) {
        const response = await send(server.url, method, filled, body, { authorization });
        expect(response.status).toBe(401);
        expect(await response.text()).toBe('Unauthorized');
      }
    },
  );
});

describe('another user', () => {
  it('finds none of her data', async () => {
    const { conversationId } = hers.conversation;
    const { messageId } = hers.responseMessage;
    expect((await bob.get(`/api/convos/${conversationId}`)).status).toBe(404);
    expect((await bob.get(`/api/messages/${conversationId}`)).status).toBe(404);
    expect((await bob.get(`/api/messages/${conversationId}/${messageId}`)).status).toBe(404);
    expect((await bob.post('/api/convos/gen_title', { conversationId })).status).toBe(404);
    expect(await bob.json('/api/convos')).toMatchObject({ conversations: [] });
  });

  it('changes none of her data', async () => {
    const { conversationId } = hers.conversation;
    expect((await bob.post('/api/convos/update', { arg: { conversationId, title: 'Taken' } })).status).toBe(404);
    const cleared = await bob.post('/api/convos/clear', { arg: { conversationId } });
    expect(await cleared.json()).toMatchObject({ deletedCount: 0, messages: { deletedCount: 0 } });
    await bob.post('/api/convos/clear', { arg: {} });
    expect(await alice.messages(conversationId)).toHaveLength(2);
  });

  it('asks under her conversation id in a new conversation of his own', async () => {
    const { conversationId } = hers.conversation;
    expect(errorOf(await bob.ask(regenerate(hers))).text).toContain('not found');
    const his = finalOf(await bob.ask(followUp('And?', hers)));
    expect(his.requestMessage).toMatchObject({ conversationId, parentMessageId: NO_PARENT });
    expect(await bob.messages(conversationId)).toMatchObject([{ text: 'And?' }, { text: 'And?' }]);
    expect(await alice.messages(conversationId)).toHaveLength(2);
  });

  it('stops none of her runs', async () => {
    const running = await begin(alice, question('Go on', { model: 'fake:never-ending' }));
    const { conversationId } = running.created;
    expect((await bob.stop(conversationId)).status).toBe(204);
    expect((await bob.stop(alice.id)).status).toBe(204);
    expect((await alice.stop(conversationId)).status).toBe(200);
    await running.rest();
  });
});
