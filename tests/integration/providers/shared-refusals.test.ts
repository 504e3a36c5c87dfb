// Two processes and a server that refuses a field: what one of them has learned, the other leaves out from its first request.
import { createServer, type Server } from 'node:http';
import { text } from 'node:stream/consumers';
import type { AddressInfo } from 'node:net';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { question, readAll } from '../../support/exchange.ts';
import { createFolder } from '../../support/folders.ts';
import { openTestServices, type TestServices } from '../../support/services.ts';

let server: Server;
let services: TestServices;
let other: Awaited<ReturnType<TestServices['beside']>>;
const asked: Record<string, unknown>[] = [];

const ANSWER = 'data: {"choices":[{"index":0,"delta":{"content":"Yes."},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n';

beforeAll(async () => {
  server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const file = join(createFolder(), 'parley.yaml');
  const entry = `{ name: Strict, apiKey: k, baseURL: "http://127.0.0.1:${port}/v1", models: { default: [one] }, titleConvo: false }`;
  writeFileSync(file, `version: 1.0.7\nendpoints:\n  custom:\n    - ${entry}\n`);
  services = await openTestServices({ CONFIG_PATH: file });
  other = await services.beside({});
});
afterAll(async () => {
  await other?.close();
  await services?.close();
  server?.close();
});

async function answer(...[request, response]: Parameters<Parameters<typeof createServer>[1] & object>): Promise<void> {
  const body = JSON.parse(await text(request)) as Record<string, unknown>;
  asked.push(body);
  if ('temperature' in body) {
    response.writeHead(400, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ error: { message: "Unsupported parameter: 'temperature' is not supported." } }));
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.end(ANSWER);
}

/** The bodies of all requests that one answer took. */
async function ask({ deps }: Pick<TestServices, 'deps'>): Promise<Record<string, unknown>[]> {
  const { id } = await services.as('alice');
  const from = asked.length;
  const input = question('Well?', { endpoint: 'Strict', model: 'one', settings: { temperature: 0.5 } });
  await deps.askService.ask(id, input);
  const entries = await readAll({ ...services, deps }, id, input.generationId);
  expect(entries.at(-1)?.event).toMatchObject({ type: 'final', reply: { parts: [{ text: 'Yes.' }] } });
  return asked.slice(from);
}

it('one process learns a refusal, and the other leaves it out of its first request', async () => {
  expect(await ask(services)).toMatchObject([{ temperature: 0.5 }, {}]);
  const known = () =>
    other.deps.endpoints
      .list()
      .find(({ name }) => name === 'Strict')
      ?.leftOut?.();
  await expect.poll(known).toEqual([{ name: 'temperature', model: 'one' }]);
  const [first, ...more] = await ask(other);
  expect(first).not.toHaveProperty('temperature');
  expect(more).toEqual([]);
});
