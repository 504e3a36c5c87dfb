/**
 * A provider made of scripts: real HTTP, named scenarios, and a memory of what it was asked. Tests and `dev` start it as
 * a library; as a program it prints its address:  node --import tsx scripts/fake-provider.ts --port 4010
 */
import { createServer } from 'node:http';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import type { RecordedRequest } from './fake-provider/record.ts';
import type { Scenario } from './fake-provider/scenario.ts';
import { scenarios } from './fake-provider/scenarios.ts';
import { createSockets } from './fake-provider/sockets.ts';
import { clear, createStage, serve } from './fake-provider/stage.ts';

export { textOf } from './fake-provider/scenarios.ts';
export type { ScenarioName } from './fake-provider/scenarios.ts';
export type { Scenario } from './fake-provider/scenario.ts';
export type { RecordedRequest } from './fake-provider/record.ts';

export type FakeProvider = {
  /** Without `/v1`. `<url>/as/<scenario>/v1` answers every call with that scenario. */
  url: string;
  /** What was heard, oldest first, the last 5,000. */
  requests: RecordedRequest[];
  /** Forgets what was heard, the failures that `flaky` has counted, and the conversations that wires keep. */
  clear(): void;
  /** The first request, past or coming, that fits. Throws after `ms` milliseconds. */
  waitForRequest(fits: (request: RecordedRequest) => boolean, ms: number): Promise<RecordedRequest>;
  /** Answers that are still being given, streamed or not. */
  openStreams(): number;
  /** Adds a scenario, or replaces one, for this provider only. */
  script(name: string, scenario: Scenario): void;
  /** Cuts whatever is still open. */
  close(): Promise<void>;
};

/** Listens and resolves; port 0 takes a free one. Throws when the port is taken. */
export async function startFakeProvider({ port = 0, host = '127.0.0.1' } = {}): Promise<FakeProvider> {
  const stage = createStage();
  const server = createServer({ noDelay: true, keepAliveTimeout: 30_000 }, (message, response) => {
    serve(stage, message, response).catch((error: unknown) => {
      // A client that leaves while it is still asking is no fault of the provider's.
      if (!message.destroyed) console.error('fake provider:', error);
      response.destroy();
    });
  });
  const sockets = createSockets(stage);
  server.on('upgrade', sockets.take);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });

  const address = server.address();
  return {
    url: `http://${host}:${typeof address === 'object' ? address?.port : port}`,
    requests: stage.recorder.requests,
    clear: () => clear(stage),
    waitForRequest: stage.recorder.waitFor,
    openStreams: () => stage.open.size,
    script: (name, scenario) => void stage.known.set(name, scenario),
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      sockets.close();
      await closed;
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
