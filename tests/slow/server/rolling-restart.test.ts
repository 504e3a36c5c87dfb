// Servers on one database that are restarted one after the other under answers, behind a load balancer.
import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { build } from '@parley/scripts/build';
import { startFakeProvider, type FakeProvider } from '@parley/scripts/fake-provider';
import { scenarioText } from '@parley/scripts/fake-provider/scenarios';
import { startServer, type ServerProcess } from '@parley/scripts/server-process';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createFolder } from '../../support/folders.ts';
import { finalOf, question, signUp } from '../../support/rest/client.ts';
import { processEnvironment } from '../../support/server.ts';

/** Longer than the balancer takes to notice on a busy machine. */
const PATIENCE = { DRAIN_SECONDS: '10', SHUTDOWN_GRACE_SECONDS: '60' };

let provider: FakeProvider;

beforeAll(async () => {
  await build();
  provider = await startFakeProvider();
}, 600_000);
afterAll(() => provider.close());

test('servers that are restarted one after the other lose and refuse nothing', async () => {
  const env = await processEnvironment(provider, PATIENCE);
  const servers = [await startServer(createFolder(), env), await startServer(createFolder(), env)];
  onTestFinished(async () => void (await Promise.all(servers.map((server) => server.end('SIGKILL')))));
  const balancer = await startBalancer(servers);
  onTestFinished(balancer.close);
  const people = await Promise.all(['alice', 'bob', 'carol'].map((name) => signUp(balancer.url, name)));
  let isOver = false;
  const talks = people.map(async (person) => {
    const finals = [];
    for (let turn = 0; !isOver; turn += 1) {
      const text = `Question ${turn} [[slow:40]]`;
      finals.push({ text, final: finalOf(await person.ask(question(text, { model: 'gpt-4' }))) });
    }
    return finals;
  });
  for (const [index, old] of [...servers].entries()) {
    expect(await old.end('SIGTERM')).toBe(0);
    servers[index] = await startServer(createFolder(), env);
    await expect.poll(async () => (await fetch(`${servers[index]?.url}/ready`)).status).toBe(200);
    // The balancer finds it before the next one stops.
    await balancer.seen(servers[index]);
  }
  isOver = true;
  for (const { text, final } of (await Promise.all(talks)).flat()) {
    expect(final.responseMessage).toMatchObject({ unfinished: false, error: false });
    expect(final.responseMessage.text).toBe(scenarioText('slow', '40', text));
  }
}, 600_000);

/** Sends each request to one of the servers that say that they are ready; asks them ten times a second. */
async function startBalancer(servers: readonly ServerProcess[]) {
  let ready: ServerProcess[] = [];
  let turn = 0;
  const looking = setInterval(() => void look(), 100);
  async function look() {
    const all = await Promise.all(
      servers.map(async (server) => {
        const answer = await fetch(`${server.url}/ready`).catch(() => null);
        return answer?.ok ? [server] : [];
      }),
    );
    ready = all.flat();
  }
  await look();
  const proxy = createServer((incoming, outgoing) => {
    const server = ready[turn++ % ready.length];
    if (server) forward(server, incoming, outgoing);
    else outgoing.writeHead(503).end();
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    async seen(server?: ServerProcess) {
      while (!ready.some((one) => one === server)) await sleep(50);
    },
    async close() {
      clearInterval(looking);
      proxy.closeAllConnections();
      await new Promise((resolve) => proxy.close(resolve));
    },
  };
}

function forward(server: ServerProcess, incoming: IncomingMessage, outgoing: ServerResponse): void {
  const { method, url = '/', headers } = incoming;
  const sent = request(server.url + url, { method, headers, agent: false }, (answer) => {
    outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
    answer.pipe(outgoing);
  });
  sent.on('error', () => outgoing.destroy());
  incoming.pipe(sent);
}
