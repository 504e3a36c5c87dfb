/**
 * A scripted fake provider: real HTTP, named scenarios, and a record of its requests. Tests and `dev` start it as a
 * library; as a program it prints its address:  node --import tsx scripts/fake-provider.ts --port 4010
 */
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import type { RecordedRequest } from './fake-provider/record.ts';
import type { Scenario } from './fake-provider/scenario.ts';
import { scenarios } from './fake-provider/scenarios.ts';
import { createSockets } from './fake-provider/sockets.ts';
import { clear, createServerState, serve } from './fake-provider/server.ts';
import { listenLocally } from './local-server.ts';

export { scenarioText } from './fake-provider/scenarios.ts';
export type { ScenarioName } from './fake-provider/scenarios.ts';
export type { Scenario } from './fake-provider/scenario.ts';
export type { RecordedRequest } from './fake-provider/record.ts';

export type FakeProvider = {
  /** Without `/v1`. `<url>/as/<scenario>/v1` answers every call with that scenario. */
  url: string;
  /** The last 5,000 requests, oldest first. */
  requests: RecordedRequest[];
  /** Clears the requests, the failure counts of `flaky`, and the conversations that protocols keep. */
  clear(): void;
  /** The first request, past or future, that matches. Throws after `ms` milliseconds. */
  waitForRequest(fits: (request: RecordedRequest) => boolean, ms?: number): Promise<RecordedRequest>;
  /** The number of unfinished answers, streamed or not. */
  openStreams(): number;
  /** Adds a scenario, or replaces one, for this provider only. */
  script(name: string, scenario: Scenario): void;
  /** Cuts all open connections. */
  close(): Promise<void>;
};

/** Resolves when it listens; port 0 takes a free one. Throws when the port is taken. */
export async function startFakeProvider({ port = 0, host = '127.0.0.1' } = {}): Promise<FakeProvider> {
  const state = createServerState();
  const { server, url, close } = await listenLocally(
    (message, response) =>
      serve(state, message, response).catch((error: unknown) => {
        // A client that disconnects during its request is not an error.
        if (!message.destroyed) console.error('fake provider:', error);
        response.destroy();
      }),
    { port, host, noDelay: true, keepAliveTimeout: 30_000 },
  );
  const sockets = createSockets(state);
  server.on('upgrade', sockets.take);
  return {
    url,
    requests: state.recorder.requests,
    clear: () => clear(state),
    waitForRequest: state.recorder.waitFor,
    openStreams: () => state.open.size,
    script: (name, scenario) => void state.known.set(name, scenario),
    async close() {
      sockets.close();
      await close();
    },
  };
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { port: { type: 'string' }, host: { type: 'string' } } });
  const provider = await startFakeProvider({ port: Number(values.port ?? 4010), host: values.host });
  console.log(`Fake provider: ${provider.url}/v1 (any API key)\n`);
  for (const [name, { about }] of Object.entries(scenarios)) console.log(`  fake:${name.padEnd(18)} ${about}`);
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => void provider.close());
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) await main();
