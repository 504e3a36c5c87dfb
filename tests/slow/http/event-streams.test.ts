// What readers cost that join an answer of 4 MB over HTTP at the same moment: time away from the event loop, and
// memory.
import { request, type IncomingMessage } from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { expect, it } from 'vitest';
import { question } from '../../support/exchange.ts';
import { openHttpClients, type Browser, type HttpClients } from '../../support/http-clients.ts';

const LENGTH = 4_000_000;
const READERS = 10;

it('ten readers of 4 MB neither stop the server nor fill its memory', { timeout: 600_000 }, async () => {
  const clients = await openHttpClients();
  const alice = await clients.signUp('alice');
  const input = question(`[[long:${LENGTH}]] At length`, { model: 'gpt-4' });
  await alice.api.messages.ask.mutate(input);
  const first = await open(clients, alice, input.generationId);
  await expect.poll(first.received, { timeout: 500_000, interval: 20 }).toBeGreaterThan(LENGTH * 0.8);
  const delay = monitorEventLoopDelay({ resolution: 5 });
  const before = process.memoryUsage().rss;
  let most = before;
  const watch = setInterval(() => (most = Math.max(most, process.memoryUsage().rss)), 20);
  delay.enable();
  const readers = await Promise.all(Array.from({ length: READERS }, () => open(clients, alice, input.generationId)));
  // The last event has the whole answer again.
  await Promise.all([first, ...readers].map(({ ended }) => ended));
  delay.disable();
  clearInterval(watch);
  const [blockedMs, grownMB] = [delay.max / 1e6, (most - before) / 1e6];
  console.log(`blocked at most ${blockedMs.toFixed(0)} ms, grew by ${grownMB.toFixed(0)} MB`);
  for (const { received } of [first, ...readers]) expect(received()).toBeGreaterThan(LENGTH * 1.75);
  expect(blockedMs).toBeLessThan(1_000);
  expect(grownMB).toBeLessThan(700);
  await alice.close();
  await clients.close();
});

/** A reader that counts what it is sent, and keeps nothing of it. */
async function open(clients: HttpClients, { token }: Browser, generationId: string) {
  const given = encodeURIComponent(JSON.stringify({ generationId }));
  const headers = { accept: 'text/event-stream', authorization: `Bearer ${token}`, 'x-app': '1' };
  const stream = await new Promise<IncomingMessage>((resolve, reject) => {
    request(`http://${clients.host}/trpc/messages.attach?input=${given}`, { headers }, resolve)
      .on('error', reject)
      .end();
  });
  let received = 0;
  stream.on('data', (chunk: Buffer) => (received += chunk.byteLength));
  const ended = new Promise<void>((resolve, reject) => stream.once('end', resolve).once('error', reject));
  return { received: () => received, ended };
}
