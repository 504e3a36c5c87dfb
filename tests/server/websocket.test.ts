import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Entry, GenerationEvent } from '@parley/schema/events';
import { fold } from '@parley/schema/fold';
import { textOf, type Message } from '@parley/schema/messages';
import { endAllSessions } from '@parley/server/auth/sessions';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { emptyReply } from '../contracts/generation-events.ts';
import { exchange, question } from '../support/exchange.ts';
import { closeCodeOf, knockAndVanish, openDoors, opened, type Browser, type Doors } from './doors.ts';

let doors: Doors;
let alice: Browser;
const guests: { leave(): Promise<void> }[] = [];

beforeAll(async () => {
  doors = await openDoors();
  alice = await doors.enter('alice');
  await exchange(doors.rooms, alice.userId, question('Warm up'));
});
afterEach(async () => {
  for (const guest of guests.splice(0)) await guest.leave();
});
afterAll(async () => {
  await alice.leave();
  await doors.close();
});

describe('a websocket', () => {
  it("from another site's page is refused", async () => {
    const socket = doors.knock('/trpc', { origin: 'https://evil.example' });
    const status = await new Promise((resolve) =>
      socket.on('unexpected-response', (_, answer) => resolve(answer.statusCode)),
    );
    expect(status).toBe(403);
  });

  it('from our own page is not', async () => {
    const socket = await opened(doors.knock('/trpc?connectionParams=1', { origin: `http://${doors.host}` }));
    socket.terminate();
  });

  it('anywhere else than its path is refused', async () => {
    expect(await closeCodeOf(doors.knock('/api/messages'), 2000)).toBe(1006);
  });

  it('without a bearer, or with a bad one, is closed with 4401', async () => {
    expect(await closeCodeOf(doors.knock('/trpc'), 2000)).toBe(4401);
    const socket = await opened(doors.knock());
    socket.send(JSON.stringify({ method: 'connectionParams', data: { token: 'made.up.token' } }));
    expect(await closeCodeOf(socket, 2000)).toBe(4401);
  });

  it('that never says whose it is does not stay', async () => {
    expect(await closeCodeOf(await opened(doors.knock()), 8000)).toBe(4401);
  });

  it('with a frame of more than 256 kB is closed, and the others stay', async () => {
    const large = await opened(doors.knock());
    const other = await opened(doors.knock());
    large.send('x'.repeat(257 * 1024));
    expect(await closeCodeOf(large, 2000)).toBe(1009);
    expect(other.readyState).toBe(WebSocket.OPEN);
    other.terminate();
  });

  it.each(['{', 'null', '[]', '[null]', '{"id":1}', '{"id":1,"method":"subscription","params":{}}', '\u0000'])(
    'that says %j harms nobody',
    async (said) => {
      const socket = await opened(doors.knock());
      socket.send(JSON.stringify({ method: 'connectionParams', data: { token: alice.token } }));
      socket.send(said);
      await sleep(50);
      socket.terminate();
      expect((await fetch(`http://${doors.host}/health`)).status).toBe(200);
    },
  );

  it('is one of at most fifty of a user', async () => {
    const bob = await enter('bob');
    const sockets = Array.from({ length: 60 }, () => doors.knock());
    const codes: number[] = [];
    for (const socket of sockets) socket.on('close', (code) => codes.push(code));
    for (const socket of sockets) introduce(await opened(socket), bob);
    await expect.poll(() => codes.length, { timeout: 3000 }).toBe(10);
    await sleep(100);
    expect(codes).toEqual(Array.from({ length: 10 }, () => 4429));
    for (const socket of sockets) socket.terminate();
  });

  it('that talks without a pause is closed, and one that talks much is not', async () => {
    const gail = await enter('gail');
    const [chatty, brisk] = [await opened(doors.knock()), await opened(doors.knock())];
    for (const socket of [chatty, brisk]) introduce(socket, gail);
    for (let n = 0; n < 90; n += 1) brisk.send('PING');
    for (let n = 0; n < 300; n += 1) chatty.send('PING');
    expect(await closeCodeOf(chatty, 2000)).toBe(4429);
    expect(brisk.readyState).toBe(WebSocket.OPEN);
    brisk.terminate();
  });

  it('whose owner has left while it was let in is not counted for ever', async () => {
    const others = await openDoors({ authDelay: 100 });
    const carol = await others.enter('carol');
    for (let n = 0; n < 55; n += 1) {
      const socket = await opened(others.knock());
      introduce(socket, carol);
      setTimeout(() => socket.terminate(), 20);
    }
    await sleep(300);
    const socket = await opened(others.knock());
    introduce(socket, carol);
    await expect(closeCodeOf(socket, 500)).rejects.toThrow('still open');
    socket.terminate();
    await others.close();
  });

  it('that is refused and cut at the same moment is no fault of ours', async () => {
    const unguarded: Socket[] = [];
    const look = (socket: Socket) =>
      socket.once('close', () => {
        if (socket.listenerCount('error') === 0) unguarded.push(socket);
      });
    doors.server.on('connection', look);
    for (let n = 0; n < 30; n += 1) await knockAndVanish(doors.host, 'https://evil.example');
    await sleep(200);
    doors.server.off('connection', look);
    expect(unguarded).toHaveLength(0);
  });

  it('is closed with 4401 at once when its owner signs out', async () => {
    const guest = await enter('dora');
    const changes = follow(guest);
    await expect.poll(() => guest.sockets.length).toBe(1);
    const socket = await opened(guest.sockets[0] ?? doors.knock());
    await sleep(50);
    const closed = closeCodeOf(socket, 4000);
    await guest.api.auth.logout.mutate();
    expect(await closed).toBe(4401);
    changes.unsubscribe();
  });

  it('is closed with 4401 at once when another process has ended all sign-ins of its owner', async () => {
    const guest = await enter('ivan');
    const socket = await opened(doors.knock());
    introduce(socket, guest);
    await greeted(socket);
    const closed = closeCodeOf(socket, 4000);
    await endAllSessions(doors.rooms.deps.db, guest.userId);
    expect(await closed).toBe(4401);
  });

  it('stays when the password is changed by its own sign-in, and is closed at once by another', async () => {
    const guest = await enter('judy');
    const password = 'correct horse battery';
    const { token } = await guest.api.auth.login.mutate({ email: 'judy@example.com', password });
    const [own, other] = [await opened(doors.knock()), await opened(doors.knock())];
    introduce(own, guest);
    introduce(other, { ...guest, token });
    await Promise.all([greeted(own), greeted(other)]);
    const closed = closeCodeOf(other, 4000);
    await guest.api.auth.changePassword.mutate({ current_password: password, password: 'ten green bottles' });
    expect(await closed).toBe(4401);
    expect(own.readyState).toBe(WebSocket.OPEN);
    own.terminate();
  });
});

describe('attaching over a websocket', () => {
  it('resumes by itself after a cut, without a gap and without a repeat', async () => {
    const input = question('[[tokens:200@8]] Cut me', { model: 'gpt-4' });
    const reading = read(alice, input.generationId);
    await alice.api.messages.ask.mutate(input);
    for (let n = 0; n < 5; n += 1) {
      await sleep(200);
      alice.sockets.at(-1)?.terminate();
    }
    const { final, folded, entries } = await reading;
    expect(alice.sockets.length).toBeGreaterThan(4);
    expect(textOf(final)).toBe(textOf(folded));
    expect(entries.map(({ seq }) => seq)).toEqual([...new Set(entries.map(({ seq }) => seq))]);
    expect(entries.filter(({ event }) => event.type === 'created')).toHaveLength(1);
  });

  it('may begin before the ask', async () => {
    const input = question('Here is my reader already');
    const reading = read(alice, input.generationId);
    await sleep(150);
    await alice.api.messages.ask.mutate(input);
    expect(textOf((await reading).final)).toBe('Here is my reader already');
  });

  it.each(['garbage', '-1', '1e9', '99999999999'])(
    'with the event id %s begins at the beginning',
    async (lastEventId) => {
      const input = question(`[[tokens:20@10]] After ${lastEventId}`, { model: 'gpt-4' });
      await alice.api.messages.ask.mutate(input);
      const { final, entries } = await read(alice, input.generationId, lastEventId);
      expect(entries[0]?.event.type).toBe('created');
      expect(final.unfinished).toBe(false);
    },
  );

  it('to what belongs to another is refused as if it were not there', { timeout: 20_000 }, async () => {
    const guest = await enter('eve');
    const input = question('Private', { model: 'fake:never-ending' });
    await alice.api.messages.ask.mutate(input);
    await expect(read(guest, input.generationId)).rejects.toMatchObject({
      data: { reason: { type: 'not_found', what: 'generation' }, httpStatus: 404 },
    });
    await alice.api.messages.abort.mutate({ generationId: input.generationId });
  });

  it('leaves nothing behind when the reader goes', async () => {
    const guest = await enter('frank');
    const input = question('Nobody listens', { model: 'fake:never-ending' });
    await guest.api.messages.ask.mutate(input);
    const before = doors.connections.size;
    const reading = read(guest, input.generationId).catch(() => {});
    await sleep(100);
    await guest.leave();
    await expect.poll(() => doors.connections.size, { timeout: 2000 }).toBeLessThanOrEqual(before);
    await doors.rooms.deps.exchanges.stop(guest.userId, input.generationId);
    void reading;
  });
});

describe('a page that follows much', () => {
  it('may follow fifty things at once, and others in the place of those it has left', async () => {
    const guest = await enter('mallory');
    const refused: unknown[] = [];
    const follow = () =>
      new Promise<{ unsubscribe(): void }>((resolve) => {
        const subscription = guest.api.convos.changes.subscribe(undefined, {
          onStarted: () => resolve(subscription),
          onError: ({ data }) => refused.push(data?.reason),
        });
      });
    const followed = [];
    for (let n = 0; n < 50; n += 1) followed.push(await follow());
    await follow();
    await expect.poll(() => refused).toEqual([{ type: 'concurrent', limit: 50 }]);
    for (const one of followed.slice(0, 10)) one.unsubscribe();
    await sleep(200);
    for (let n = 0; n < 10; n += 1) await follow();
    await sleep(200);
    expect(refused).toHaveLength(1);
    await guest.leave();
  });
});

describe('a reader that is paused', () => {
  it('does not grow the memory of the server, and has everything in the end', { timeout: 40_000 }, async () => {
    const guest = await enter('grace');
    // What the system's own buffers take is not ours to count: forty-eight readings are more than they hold.
    const inputs = Array.from({ length: 6 }, (_, n) => question(`[[long:200000]] Story ${n}`, { model: 'gpt-4' }));
    const readings = inputs.flatMap((input) => Array.from({ length: 8 }, () => read(guest, input.generationId)));
    await expect.poll(() => guest.sockets.length).toBe(1);
    const socket = await opened(guest.sockets[0] ?? doors.knock());
    await Promise.all(inputs.map((input) => guest.api.messages.ask.mutate(input)));
    await sleep(300);
    socket.pause();
    let largest = 0;
    const watch = setInterval(() => (largest = Math.max(largest, ...unsentOf(doors))), 5);
    await expect.poll(() => running(guest), { timeout: 20_000, interval: 200 }).toBe(0);
    await sleep(200);
    socket.resume();
    const texts = await Promise.all(readings);
    clearInterval(watch);
    expect(largest).toBeGreaterThan(0);
    expect(largest).toBeLessThan(1_400_000);
    for (const { final, folded } of texts) expect(textOf(final).startsWith(textOf(folded))).toBe(true);
    for (const { final } of texts) expect(textOf(final)).toHaveLength(200_000);
  });
});

describe('the end of the server', () => {
  it('does not wait for a reader that is paused', { timeout: 60_000 }, async () => {
    const others = await openDoors();
    const guest = await others.enter('heidi');
    const input = question('[[long:200000]] For nobody', { model: 'gpt-4' });
    void read(guest, input.generationId).catch(() => {});
    await guest.api.messages.ask.mutate(input);
    await expect.poll(() => guest.sockets.length).toBe(1);
    guest.sockets[0]?.pause();
    await sleep(300);
    await others.rooms.deps.exchanges.stop(guest.userId, input.generationId);
    const began = performance.now();
    await others.close();
    expect(performance.now() - began).toBeLessThan(10_000);
    await guest.leave();
  });
});

async function enter(name: string): Promise<Browser> {
  const guest = await doors.enter(name);
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

function follow(browser: Browser) {
  return browser.api.convos.changes.subscribe(undefined, { onData() {}, onError() {} });
}

/** Reads a generation to its end, as a browser does. */
function read(browser: Browser, generationId: string, lastEventId?: string) {
  const entries: Entry[] = [];
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
function unsentOf({ connections }: Doors): number[] {
  return [...connections].map((socket) => socket.writableLength);
}

async function running({ userId }: Browser): Promise<number> {
  const [row] = await doors.rooms.deps.db.sql<{ count: number }[]>`
    select count(*) from generations where user_id = ${userId} and ended_at is null`;
  return row?.count ?? 0;
}
