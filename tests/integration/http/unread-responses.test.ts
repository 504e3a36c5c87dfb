import { randomBytes } from 'node:crypto';
import { createServer, request, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { insertThread } from '@parley/scripts/seed/threads';
import type { HttpEnv } from '@parley/server/platform/requests/http-env';
import { cutUnreadResponses, UNREAD_MAX } from '@parley/server/http/unread-responses';
import { eventStream, frame } from '@parley/server/rest/sse';
import { Hono, type Context } from 'hono';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openHttpClients, type Browser, type HttpClients } from '../../support/http-clients.ts';

/** More than the buffers of the system take. */
const LENGTH = 14_000_000;

let clients: HttpClients;
let alice: Browser;
let bob: Browser;

beforeAll(async () => {
  clients = await openHttpClients();
  [alice, bob] = await Promise.all([clients.signUp('alice'), clients.signUp('bob')]);
});
afterAll(async () => {
  await Promise.all([alice.close(), bob.close()]);
  await clients.close();
});

describe('responses that their client never reads', () => {
  it('are cut off where they fill the memory: of streams', async () => {
    await expectCutOf(() => eventStream(oneFrame()));
  });

  it('are cut off where they fill the memory: of texts that are written at once', async () => {
    await expectCutOf((c) => c.text('x'.repeat(LENGTH + 1)));
  });

  it('are cut off the fullest first, and not for their own length', async () => {
    const respond = (c: Context<HttpEnv>) => c.text('x'.repeat(Number(c.req.query('length'))));
    await withServer(respond, async (url) => {
      const alone = await connectTo(`${url}?length=${UNREAD_MAX + LENGTH}`, alice);
      expect(await lengthOf(alone)).toBe(UNREAD_MAX + LENGTH);
      const shorter = await connectTo(`${url}?length=${LENGTH - 4_000_000}`, alice);
      const deaf = await Promise.all(Array.from({ length: 6 }, () => connectTo(`${url}?length=${LENGTH}`, alice)));
      const read = await Promise.all(deaf.map((response) => lengthOf(response).catch(() => 'cut')));
      expect(read).toContain('cut');
      expect(await lengthOf(shorter)).toBe(LENGTH - 4_000_000);
    });
  });

  it('are cut off where they fill the memory: of calls', async () => {
    const threadOf = async ({ userId }: Browser) => {
      const thread = await insertThread(clients.services.deps.db, userId, 2, () => 'x'.repeat(LENGTH / 2));
      return `http://${clients.host}/api/messages/${thread.conversationId}`;
    };
    await expectCut(threadOf, clients.server);
  });

  it('are cut off where they fill the memory: of calls whose answers are compressed', async () => {
    const threadOf = async ({ userId }: Browser) => {
      // What compresses well is read by the buffers of the system.
      const noise = randomBytes(LENGTH / 2).toString('base64');
      const { conversationId } = await insertThread(clients.services.deps.db, userId, 2, () => noise);
      const given = encodeURIComponent(JSON.stringify({ conversationId }));
      return `http://${clients.host}/trpc/messages.list?input=${given}`;
    };
    await expectCut(threadOf, clients.server, { 'accept-encoding': 'gzip' });
  });
});

/** Six of alice's connections are not read; bob's earlier one and a later one of alice are. */
async function expectCut(
  urlFor: (browser: Browser) => Promise<string>,
  server: Server,
  headers: Record<string, string> = {},
): Promise<void> {
  const opened: Socket[] = [];
  const note = (socket: Socket) => void opened.push(socket);
  server.on('connection', note);
  const ofBob = await connectTo(await urlFor(bob), bob, headers);
  const url = await urlFor(alice);
  const deaf = await Promise.all(Array.from({ length: 6 }, () => connectTo(url, alice, headers)));
  server.off('connection', note);
  const cut = () => opened.slice(1).filter(({ destroyed }) => destroyed).length;
  await expect.poll(cut).toBeGreaterThan(0);
  // The others still fill the buffers of the system: each of their writes counts everything again.
  await expect.poll(hasSettled(opened), { interval: 300 }).toBe(true);
  expect(cut()).toBeLessThan(deaf.length);
  expect(opened[0]?.destroyed).toBe(false);
  expect(await lengthOf(await connectTo(url, alice, headers))).toBeGreaterThan(LENGTH);
  for (const response of [ofBob, ...deaf]) response.once('error', () => {}).destroy();
}

/** Whether nothing was written since the call before. */
function hasSettled(sockets: readonly Socket[]): () => boolean {
  let before = -1;
  return () => {
    const written = sockets.reduce((bytes, { bytesWritten }) => bytes + bytesWritten, 0);
    const isSame = written === before;
    before = written;
    return isSame;
  };
}

type Respond = (c: Context<HttpEnv>) => Response;

/** The same of a server that has only this response. */
async function expectCutOf(respond: Respond): Promise<void> {
  await withServer(respond, (url, server) => expectCut(async () => url, server));
}

async function withServer(respond: Respond, look: (url: string, server: Server) => Promise<void>): Promise<void> {
  const app = new Hono<HttpEnv>();
  app.use(cutUnreadResponses(clients.services.deps));
  app.get('/', respond);
  const server = createServer(getRequestListener(app.fetch, { overrideGlobalObjects: false }));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await look(`http://127.0.0.1:${port}/`, server);
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}

async function* oneFrame(): AsyncGenerator<string> {
  yield frame('message', { text: 'x'.repeat(LENGTH) });
}

/** Its body is not read before somebody does. */
function connectTo(url: string, { token }: Browser, given: Record<string, string> = {}): Promise<IncomingMessage> {
  const headers = { ...given, authorization: `Bearer ${token}` };
  return new Promise((resolve, reject) => {
    request(url, { headers, agent: false }, resolve).on('error', reject).end();
  });
}

async function lengthOf(response: IncomingMessage): Promise<number> {
  let length = 0;
  for await (const chunk of response) length += (chunk as Buffer).length;
  return length;
}
