// A model server on the same machine is offered when nothing else is configured.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startFakeProvider, type FakeProvider } from '@parley/scripts/fake-provider';
import { findOllama } from '@parley/server/catalog/find-ollama';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { finalOf, question, signUp } from '../../support/rest/client.ts';
import { startTestServer } from '../../support/server.ts';

let provider: FakeProvider;

beforeAll(async () => {
  provider = await startFakeProvider();
});
afterAll(() => provider.close());

async function endpointsOf(env: Record<string, string>) {
  const server = await startTestServer({ env: { OPENAI_API_KEY: '', ...env } });
  const alice = await signUp(server.url, 'alice');
  return { server, alice, names: Object.keys((await alice.json('/api/endpoints')) as object) };
}

describe('Ollama', () => {
  it('replaces the demo, and answers', async () => {
    const { server, alice, names } = await endpointsOf({ OLLAMA_URL: provider.url });
    expect(names).toEqual(['Ollama', 'assistants']);
    expect(await alice.json('/api/models')).toMatchObject({ Ollama: expect.arrayContaining(['llama3:latest']) });
    const frames = await alice.ask(
      question('Hello Ollama', { endpoint: 'Ollama', endpointType: 'custom', model: 'fake:echo' }),
      'custom',
    );
    expect(finalOf(frames).responseMessage.text).toBe('Hello Ollama');
    await server.close();
  });

  it('is not looked for when an endpoint is configured', async () => {
    provider.clear();
    const { server, names } = await endpointsOf({ ANTHROPIC_API_KEY: 'k', OLLAMA_URL: provider.url });
    expect(names).toEqual(['anthropic', 'assistants']);
    expect(provider.requests).toEqual([]);
    await server.close();
  });

  it('leaves the demo when it is not running', async () => {
    const { server, names } = await endpointsOf({ OLLAMA_URL: 'off' });
    expect(names).toEqual(['Demo']);
    await server.close();
  });

  it.each(['error-500', 'html-200', 'silent', 'cut:0'])('that answers with %s is ignored', async (scenario) => {
    expect(await findOllama(`${provider.url}/as/${scenario}`)).toBeNull();
  });

  it('is ignored without a model', async () => {
    const empty = createServer((_request, response) => void response.end('{"models":[]}')).listen(0, '127.0.0.1');
    await new Promise((resolve) => empty.once('listening', resolve));
    const { port } = empty.address() as AddressInfo;
    expect(await findOllama(`http://127.0.0.1:${port}`)).toBeNull();
    empty.close();
  });
});
