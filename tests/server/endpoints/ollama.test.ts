// A model server on the same machine is offered when nothing else is configured.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startFakeProvider, type FakeProvider } from '@parley/scripts/fake-provider';
import { findOllama } from '@parley/server/endpoints/offered/ollama';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { finalOf, question, signUp } from '../../rest/client.ts';
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
  it('is offered in the place of the demo, and answers', async () => {
    const { server, alice, names } = await endpointsOf({ OLLAMA_URL: provider.url });
    expect(names).toEqual(['Ollama']);
    expect(await alice.json('/api/models')).toMatchObject({ Ollama: expect.arrayContaining(['llama3:latest']) });
    const frames = await alice.ask(
      question('Hello Ollama', { endpoint: 'Ollama', endpointType: 'custom', model: 'fake:echo' }),
      'custom',
    );
    expect(finalOf(frames).responseMessage.text).toBe('Hello Ollama');
    await server.close();
  });

  it('is not looked for where something is configured', async () => {
    provider.clear();
    const { server, names } = await endpointsOf({ ANTHROPIC_API_KEY: 'k', OLLAMA_URL: provider.url });
    expect(names).toEqual(['anthropic']);
    expect(provider.requests).toEqual([]);
    await server.close();
  });

  it('that is not there leaves the demo', async () => {
    const { server, names } = await endpointsOf({ OLLAMA_URL: 'off' });
    expect(names).toEqual(['Demo']);
    await server.close();
  });

  it.each(['error-500', 'html-200', 'silent', 'cut:0'])('that answers with %s is none', async (scenario) => {
    expect(await findOllama(`${provider.url}/as/${scenario}`)).toBeNull();
  });

  it('without a model is none', async () => {
    const empty = createServer((_request, response) => void response.end('{"models":[]}')).listen(0, '127.0.0.1');
    await new Promise((resolve) => empty.once('listening', resolve));
    const { port } = empty.address() as AddressInfo;
    expect(await findOllama(`http://127.0.0.1:${port}`)).toBeNull();
    empty.close();
  });

  it('that says nothing keeps nobody waiting', async () => {
    const began = performance.now();
    await findOllama(`${provider.url}/as/silent`);
    // A timer may be late on a crowded machine, but not by seconds.
    expect(performance.now() - began).toBeLessThan(3000);
  });
});
