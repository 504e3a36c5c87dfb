import { randomUUID } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Entry, GenerationEvent } from '@parley/schema/generation/events';
import { fold } from '@parley/schema/generation/fold';
import { messageText, type Message } from '@parley/schema/messages/messages';
import { revokeAllSessions } from '@parley/server/auth/session/sessions';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { emptyReply } from '../../contracts/generation-events.ts';
import { exchange, question } from '../../support/exchange.ts';
import {
  closeCodeOf,
  upgradeAndDisconnect,
  openHttpClients,
  opened,
  type Browser,
  type HttpClients,
} from '../../support/http-clients.ts';

let clients: HttpClients;
let alice: Browser;
const guests: { close(): Promise<void> }[] = [];

beforeAll(async () => {
  // Readers come before the asks here, which a busy machine takes its time for.
  clients = await openHttpClients({ timings: { askTimeoutMs: 60_000 } });
  alice = await clients.signUp('alice');
  await exchange(clients.services, alice.userId, question('Warm up'));
});
afterEach(async () => {
  for (const guest of guests.splice(0)) await guest.close();
});
afterAll(async () => {
  await alice.close();
  await clients.close();
});

describe('a websocket', () => {
  it('is refused from a page of another site, and the operator is warned once', async () => {
    const warned = vi.spyOn(clients.services.deps.log, 'warn');
    for (let attempt = 0; attempt < 2; attempt++) {
      const socket = clients.openSocket('/trpc', { origin: 'https://evil.example' });
      const status = await new Promise((resolve) =>
        socket.on('unexpected-response', (_, answer) => resolve(answer.statusCode)),
      );
      expect(status).toBe(403);
    }
    const told = { event: 'origin.refused', origin: 'https://evil.example', host: clients.host };
    expect(warned.mock.calls).toEqual([[told, expect.stringContaining('DOMAIN_CLIENT')]]);
    warned.mockRestore();
  });

  it.each(['[', 'a b', '%', 'x:99999999', '://'])(
    'with the Host header %j is refused, and the server lives on',
    async (host) => {
      const [name, port] = clients.host.split(':');
      const socket = connect(Number(port), name);
      const upgrade = ['Upgrade: websocket', 'Connection: Upgrade', 'Sec-WebSocket-Version: 13'];
      const key = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==';
      socket.write(['GET /trpc?connectionParams=1 HTTP/1.1', `Host: ${host}`, ...upgrade, key, '', ''].join('\r\n'));
      const answer = await new Promise<string>((resolve) => socket.once('data', (data) => resolve(String(data))));
      socket.destroy();
      expect(answer).toMatch(/^HTTP\/1\.1 40[03] /);
      expect((await fetch(`http://${clients.host}/health`)).status).toBe(200);
    },
  );

  it('is accepted from its own page', async () => {
    const socket = await opened(clients.openSocket('/trpc?connectionParams=1', { origin: `http://${clients.host}` }));
    socket.terminate();
  });

  it('is refused at another path', async () => {
    expect(await closeCodeOf(clients.openSocket('/api/messages'))).toBe(1006);
  });

  it('is closed with 4401 without a valid access token', async () => {
    expect(await closeCodeOf(clients.openSocket('/trpc'))).toBe(4401);
    const socket = await opened(clients.openSocket());
    socket.send(JSON.stringify({ method: 'connectionParams', data: { token: 'made.up.token' } }));
    expect(await closeCodeOf(socket)).toBe(4401);
  });

  it('is closed after a frame of more than 256 kB, and the others stay', async () => {
    const large = await opened(clients.openSocket());
    const other = await opened(clients.openSocket());
    large.send('x'.repeat(257 * 1024));
    expect(await closeCodeOf(large)).toBe(1009);
    expect(other.readyState).toBe(WebSocket.OPEN);
    other.terminate();
  });

  it.each(['{', 'null', '[]', '[null]', '{"id":1}', '{"id":1,"method":"subscription","params":{}}', '\u0000'])(
    'that sends %j affects nobody else',
    async (said) => {
      const socket = await opened(clients.openSocket());
      socket.send(JSON.stringify({ method: 'connectionParams', data: { token: alice.token } }));
      socket.send(said);
      await sleep(50);
      socket.terminate();
      expect((await fetch(`http://${clients.host}/health`)).status).toBe(200);
    },
  );

  it('is one of at most fifty of a user', async () => {
    const bob = await signUp('bob');
    const sockets = Array.from({ length: 60 }, () => clients.openSocket());
    const codes: number[] = [];
    for (const socket of sockets) socket.on('close', (code) => codes.push(code));
    for (const socket of sockets) introduce(await opened(socket), bob);
    await expect.poll(() => codes.length).toBe(10);
    await sleep(100);
    expect(codes).toEqual(Array.from({ length: 10 }, () => 4429));
    for (const socket of sockets) socket.terminate();
  });

  it('is closed when it sends without pause, but not when it just sends much', async () => {
    const gail = await signUp('gail');
    const [chatty, brisk] = [await opened(clients.openSocket()), await opened(clients.openSocket())];
    for (const socket of [chatty, brisk]) introduce(socket, gail);
    for (let n = 0; n < 90; n += 1) brisk.send('PING');
    for (let n = 0; n < 300; n += 1) chatty.send('PING');
    expect(await closeCodeOf(chatty)).toBe(4429);
    expect(brisk.readyState).toBe(WebSocket.OPEN);
    brisk.terminate();
  });

  it('is charged for each call of a batch, and no call of a batch over the limit is made', async () => {
    const hugo = await signUp('hugo');
    const batchOf = (count: number) =>
      JSON.stringify(Array.from({ length: count }, (_, id) => ({ id, method: 'query', params: { path: 'auth.me' } })));
    const [greedy, modest] = [await opened(clients.openSocket()), await opened(clients.openSocket())];
    for (const socket of [greedy, modest]) introduce(socket, hugo);
    const answers = { greedy: 0, modest: 0 };
    greedy.on('message', () => (answers.greedy += 1));
    modest.on('message', () => (answers.modest += 1));
    greedy.send(` ${batchOf(2000)}`);
    modest.send(batchOf(60));
    expect(await closeCodeOf(greedy)).toBe(4429);
    await expect.poll(() => answers).toEqual({ greedy: 0, modest: 60 });
    modest.terminate();
  });

  it('is no longer counted when it closes while it is accepted', async () => {
    const others = await openHttpClients({ authDelay: 100 });
    const carol = await others.signUp('carol');
    const before = others.connections.size;
    for (let n = 0; n < 55; n += 1) {
      const socket = await opened(others.openSocket());
      introduce(socket, carol);
      setTimeout(() => socket.terminate(), 20);
    }
    await expect.poll(() => others.connections.size).toBeLessThanOrEqual(before);
    const socket = await opened(others.openSocket());
    introduce(socket, carol);
    await expect(closeCodeOf(socket, 500)).rejects.toThrow('still open');
    socket.terminate();
    await others.close();
  });

  it('causes no server error when it is refused and cut at the same moment', async () => {
    const unguarded: Socket[] = [];
    const look = (socket: Socket) =>
      socket.once('close', () => {
        if (socket.listenerCount('error') === 0) unguarded.push(socket);
      });
    clients.server.on('connection', look);
    for (let n = 0; n < 30; n += 1) await upgradeAndDisconnect(clients.host, 'https://evil.example');
    await sleep(200);
    clients.server.off('connection', look);
    expect(unguarded).toHaveLength(0);
  });

  it('is closed with 4401 at once when its user signs out', async () => {
    const guest = await signUp('dora');
    const changes = await follow(guest);
    const socket = guest.sockets[0] ?? clients.openSocket();
    const closed = closeCodeOf(socket);
    await guest.api.auth.logout.mutate();
    expect(await closed).toBe(4401);
    changes.unsubscribe();
  });

  it('is closed with 4401 at once when another process ends all sessions of its user', async () => {
    const guest = await signUp('ivan');
    const socket = await opened(clients.openSocket());
    introduce(socket, guest);
    await greeted(socket);
    const closed = closeCodeOf(socket);
    await revokeAllSessions(clients.services.deps.db, guest.userId);
    expect(await closed).toBe(4401);
  });

  it('stays when its own session changes the password, and closes at once when another one does', async () => {
    const guest = await signUp('judy');
    const password = 'correct horse battery';
    const { token } = await guest.api.auth.login.mutate({ email: 'judy@example.com', password });
    const [own, other] = [await opened(clients.openSocket()), await opened(clients.openSocket())];
    introduce(own, guest);
    introduce(other, { ...guest, token });
    await Promise.all([greeted(own), greeted(other)]);
    const closed = closeCodeOf(other);
    await guest.api.auth.stepUp.prove.mutate({ password });
    await guest.api.auth.changePassword.mutate({ password: 'ten green bottles' });
    expect(await closed).toBe(4401);
    expect(own.readyState).toBe(WebSocket.OPEN);
    own.terminate();
  });
});

describe('attaching over a websocket', () => {
  it('resumes by itself after a disconnect, without gap or repetition', async () => {
    const input = question('[[tokens:500@8]] Cut me', { model: 'gpt-4' });
    const entries: Entry[] = [];
    const reading = read(alice, input.generationId, undefined, entries);
    await alice.api.messages.ask.mutate(input);
    for (let n = 0; n < 5; n += 1) {
      const heard = entries.length;
      await expect.poll(() => entries.length).toBeGreaterThan(heard + 3);
      alice.sockets.at(-1)?.terminate();
    }
    const { final, folded } = await reading;
    expect(alice.sockets.length).toBeGreaterThan(4);
    expect(messageText(final)).toBe(messageText(folded));
    expect(entries.map(({ seq }) => seq)).toEqual([...new Set(entries.map(({ seq }) => seq))]);
    expect(entries.filter(({ event }) => event.type === 'created')).toHaveLength(1);
  });

  it('may begin before the ask', async () => {
    const input = question('Here is my reader already');
    const reading = read(alice, input.generationId);
    await sleep(150);
    await alice.api.messages.ask.mutate(input);
    expect(messageText((await reading).final)).toBe('Here is my reader already');
  });

  it.each(['garbage', '-1', '1e9', '99999999999'])('with the event id %s begins at the start', async (lastEventId) => {
    const input = question(`[[tokens:20@10]] After ${lastEventId}`, { model: 'gpt-4' });
    await alice.api.messages.ask.mutate(input);
    const { final, entries } = await read(alice, input.generationId, lastEventId);
    expect(entries[0]?.event.type).toBe('created');
    expect(final.unfinished).toBe(false);
  });

  it('leaves no listener when the reader disconnects', async () => {
    const guest = await signUp('frank');
    const input = question('Nobody listens', { model: 'fake:never-ending' });
    await guest.api.messages.ask.mutate(input);
    const before = clients.connections.size;
    const reading = read(guest, input.generationId).catch(() => {});
    await sleep(100);
    await guest.close();
    await expect.poll(() => clients.connections.size).toBeLessThanOrEqual(before);
    await clients.services.deps.askService.stop(guest.userId, input.generationId);
    void reading;
  });
});

describe('a server with short timeouts', () => {
  let others: HttpClients;
  let walter: Browser;

  beforeAll(async () => {
    others = await openHttpClients({ timings: { askTimeoutMs: 200, socketAuthTimeoutMs: 1000 } });
    walter = await others.signUp('walter');
  });
  afterAll(async () => {
    await walter.close();
    await others.close();
  });

  it('closes a websocket that never authenticates', async () => {
    expect(await closeCodeOf(await opened(others.openSocket()))).toBe(4401);
  });

  it('refuses a subscription with the code of its status', async () => {
    await expect(read(walter, '00000000-0000-4000-8000-000000000000')).rejects.toMatchObject({
      data: { code: 'NOT_FOUND', httpStatus: 404, reason: { type: 'not_found' } },
    });
  });

  it('refuses an attach to a generation of another user as not found', async () => {
    const guest = await others.signUp('eve');
    const input = question('Private', { model: 'fake:never-ending' });
    await walter.api.messages.ask.mutate(input);
    await expect(read(guest, input.generationId)).rejects.toMatchObject({
      data: { reason: { type: 'not_found', what: 'generation' }, httpStatus: 404 },
    });
    await walter.api.messages.abort.mutate({ generationId: input.generationId });
    await guest.close();
  });
});

describe('a page with many subscriptions', () => {
  it('may have fifty at once, and new ones in place of closed ones', async () => {
    const guest = await signUp('mallory');
    const refused: unknown[] = [];
    const followOne = () => follow(guest, (reason) => refused.push(reason));
    const followed = [];
    for (let n = 0; n < 50; n += 1) followed.push(await followOne());
    await followOne();
    await expect.poll(() => refused).toEqual([{ type: 'concurrent', limit: 50 }]);
    for (const one of followed.slice(0, 10)) one.unsubscribe();
    await sleep(200);
    for (let n = 0; n < 10; n += 1) await followOne();
    await sleep(200);
    expect(refused).toHaveLength(1);
    await guest.close();
  });
});

describe('a reader that is paused', () => {
  it('does not grow the memory of the server, and gets everything in the end', async () => {
    const guest = await signUp('grace');
    // What the system's own buffers take is not ours to count: forty-eight readings are more than they hold.
    const inputs = Array.from({ length: 6 }, (_, n) => question(`[[long:200000]] Story ${n}`, { model: 'gpt-4' }));
    const readings = inputs.flatMap((input) => Array.from({ length: 8 }, () => read(guest, input.generationId)));
    await expect.poll(() => guest.sockets.length).toBe(1);
    const socket = await opened(guest.sockets[0] ?? clients.openSocket());
    await Promise.all(inputs.map((input) => guest.api.messages.ask.mutate(input)));
    await sleep(300);
    socket.pause();
    let largest = 0;
    const watch = setInterval(() => (largest = Math.max(largest, ...unsentOf(clients))), 5);
    await expect.poll(() => running(guest), { interval: 200 }).toBe(0);
    await sleep(200);
    socket.resume();
    const texts = await Promise.all(readings);
    clearInterval(watch);
    expect(largest).toBeGreaterThan(0);
    expect(largest).toBeLessThan(1_400_000);
    for (const { final, folded } of texts) expect(messageText(final).startsWith(messageText(folded))).toBe(true);
    for (const { final } of texts) expect(messageText(final)).toHaveLength(200_000);
  });
});

describe('a client that calls and never reads', () => {
  it('is cut off, instead of filling the memory with its answers', async () => {
    const guest = await signUp('victor');
    const { convo } = await exchange(clients.services, guest.userId, question('Keep this'));
    const { conversationId } = convo;
    const messageIds = Array.from({ length: 4 }, () => randomUUID());
    for (const messageId of messageIds) {
      const text = 'x'.repeat(2_000_000);
      await guest.api.messages.save.mutate({
        conversationId,
        messageId,
        parentMessageId: null,
        text,
        isCreatedByUser: true,
      });
    }
    const before = new Set(clients.connections);
    const socket = await opened(clients.openSocket());
    introduce(socket, guest);
    await greeted(socket);
    const [connection] = [...clients.connections].filter((one) => !before.has(one));
    socket.pause();
    const params = { path: 'messages.bodies', input: { conversationId, messageIds } };
    for (let id = 2; id < 12; id += 1) socket.send(JSON.stringify({ id, method: 'query', params }));
    await expect.poll(() => connection?.destroyed).toBe(true);
  });
});

describe('shutdown', () => {
  it('does not wait for a reader that is paused', async () => {
    const others = await openHttpClients();
    const guest = await others.signUp('heidi');
    const input = question('[[long:200000]] For nobody', { model: 'gpt-4' });
    void read(guest, input.generationId).catch(() => {});
    await guest.api.messages.ask.mutate(input);
    await expect.poll(() => guest.sockets.length).toBe(1);
    guest.sockets[0]?.pause();
    await sleep(300);
    await others.services.deps.askService.stop(guest.userId, input.generationId);
    await others.close();
    await guest.close();
  });
});

async function signUp(name: string): Promise<Browser> {
  const guest = await clients.signUp(name);
  guests.push(guest);
  return guest;
}

function introduce(socket: WebSocket, { token }: Browser): void {
  socket.send(JSON.stringify({ method: 'connectionParams', data: { token } }));
}

/** It is known whose the socket is when it answers. */
function greeted(socket: WebSocket): Promise<void> {
  socket.send(JSON.stringify({ id: 1, method: 'query', params: { path: 'auth.me' } }));
  return new Promise((resolve) => socket.once('message', () => resolve()));
}

/** Follows the changes; the server knows of it when it resolves. */
function follow(browser: Browser, onRefused: (reason: unknown) => void = () => {}) {
  return new Promise<{ unsubscribe(): void }>((resolve) => {
    const following = browser.api.convos.changes.subscribe(undefined, {
      onStarted: () => resolve(following),
      onError: ({ data }) => onRefused(data?.reason),
    });
  });
}

/** Reads a generation to its end, as a browser does. */
function read(browser: Browser, generationId: string, lastEventId?: string, entries: Entry[] = []) {
  let folded = emptyReply();
  return new Promise<{ final: Message; folded: Message; entries: Entry[] }>((resolve, reject) => {
    browser.api.messages.attach.subscribe(
      { generationId, lastEventId },
      {
        onData({ id, data }) {
          const event: GenerationEvent = data;
          entries.push({ seq: Number(id), event });
          if (event.type === 'final') resolve({ final: event.reply, folded, entries });
          else folded = fold(folded, event);
        },
        onError: reject,
        onComplete: () => reject(new Error('The reading ended without a final event')),
      },
    );
  });
}

/** How much of what it was sent is still waiting, per connection. */
function unsentOf({ connections }: HttpClients): number[] {
  return [...connections].map((socket) => socket.writableLength);
}

async function running({ userId }: Browser): Promise<number> {
  const [row] = await clients.services.deps.db.sql<{ count: number }[]>`
    select count(*) from generations where user_id = ${userId} and ended_at is null`;
  return row?.count ?? 0;
}
