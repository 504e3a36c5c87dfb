// Reading a whole conversation over HTTP: how long it holds the event loop of the server, and how long it takes.
import { request, type IncomingMessage } from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { insertThread } from '@parley/scripts/seed/threads';
import { createCaller } from '@parley/server/router';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openHttpClients, type Browser, type HttpClients } from '../../support/http-clients.ts';
import { bestOf } from '../../support/measuring/best-of.ts';

const BLOCKED_MAX_MS = 100;

let clients: HttpClients;
let alice: Browser;

beforeAll(async () => {
  clients = await openHttpClients();
  alice = await clients.signUp('alice');
});
afterAll(async () => {
  await alice.close();
  await clients.close();
});

describe.each(['identity', 'gzip'])('a whole conversation, as %s', (encoding) => {
  it.each([
    [500, 100_000],
    [50, 1_000_000],
    [20_000, 10],
  ])('of %i messages with %i characters lets others have their turn', async (count, length) => {
    const conversationId = await insert(count, length);
    await read(encoding, conversationId);
    const blocked = await bestOf(BLOCKED_MAX_MS, () => blockedMs(() => read(encoding, conversationId)), 5);
    console.log(`${count} messages, ${encoding}: blocked for ${blocked.toFixed(0)} ms at most`);
    expect(blocked).toBeLessThan(BLOCKED_MAX_MS);
  });
});

it('20,000 short messages come about as fast as they are read and written at once', async () => {
  const conversationId = await insert(20_000, 10);
  await read('identity', conversationId);
  const ratio = await bestOf(1.5, async () => {
    const atOnce = await elapsed(() => readAtOnce(conversationId));
    return (await elapsed(() => read('identity', conversationId))) / atOnce;
  });
  console.log(`20,000 messages take ${ratio.toFixed(2)} times as long as at once`);
  expect(ratio).toBeLessThan(1.5);
});

async function insert(count: number, length: number): Promise<string> {
  const textAt = (n: number) => {
    const line = `Line ${n} of "a long text", with\nbreaks and ümlauts, 漢字かな, 😀. `;
    return line.repeat(Math.ceil(length / line.length)).slice(0, length);
  };
  return (await insertThread(clients.services.deps.db, alice.userId, count, textAt)).conversationId;
}

/** Keeps nothing of what it reads. */
async function read(encoding: string, conversationId: string): Promise<void> {
  const given = encodeURIComponent(JSON.stringify({ conversationId }));
  const headers = { authorization: `Bearer ${alice.token}`, 'accept-encoding': encoding };
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request(`http://${clients.host}/trpc/messages.list?input=${given}`, { headers }, resolve).on('error', reject).end();
  });
  expect(response.statusCode).toBe(200);
  await new Promise((resolve, reject) => response.resume().once('end', resolve).once('error', reject));
}

/** As the call of a REST client, without HTTP. */
async function readAtOnce(conversationId: string): Promise<Buffer> {
  const signedIn = { userId: alice.userId, sid: '' };
  const api = createCaller({ deps: clients.services.deps, http: null, socket: null, token: null, signedIn });
  return Buffer.from(JSON.stringify(await api.messages.list({ conversationId })));
}

async function elapsed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

async function blockedMs(work: () => Promise<void>): Promise<number> {
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  await work();
  delay.disable();
  return delay.max / 1e6;
}
