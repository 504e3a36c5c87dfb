// Where a chaos run takes place: a whole server over a database of its own, and a provider that outlives it.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startFakeProvider, type FakeProvider } from '../fake-provider.ts';
import { startServer, type ServerProcess } from '../server-process.ts';
import { followHunger } from './hunger.ts';
import { followSpeech, now, type Speech } from './speech.ts';

/** A time without a server, in milliseconds since the epoch. */
export interface Outage {
  signal: 'SIGKILL' | 'SIGTERM';
  /** When the signal was sent. */
  from: number;
  /** When it had ended. */
  endedAt: number;
  /** When the next one was ready. */
  until: number;
  /** How many milliseconds of its last second the server had waited for a CPU. */
  starved: number;
}

export interface World {
  url: string;
  folder: string;
  provider: FakeProvider;
  speech: Speech;
  outages: Outage[];
  /** Ends the server with a signal and starts it again at the same address, `ms` later. */
  restart(signal: Outage['signal'], ms: number): Promise<void>;
  /** What the servers complained of so far. */
  complaints(): string[];
  close(): Promise<void>;
}

const MODEL = 'gpt-4';

/** Short, so that a provider's silence ends within a run. */
const PATIENCE = { STREAM_FIRST_TIMEOUT: '4000', STREAM_IDLE_TIMEOUT: '3000' };

export async function openWorld(): Promise<World> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-chaos-'));
  const provider = await startFakeProvider();
  const settings = {
    DATA_DIR: folder,
    OPENAI_API_KEY: 'fake',
    OPENAI_REVERSE_PROXY: `${provider.url}/v1`,
    OPENAI_MODELS: MODEL,
    REGISTER_MAX: '1000',
    LOGIN_MAX: '100000',
    LOG_LEVEL: 'error',
    ...PATIENCE,
  };
  let server = await startServer(folder, { ...settings, PORT: '0' });
  let hunger = followHunger(server.pid);
  const { url } = server;
  const servers: ServerProcess[] = [server];
  const speech = followSpeech(provider.requests);
  const outages: Outage[] = [];
  const unexpected: string[] = [];
  return {
    url,
    folder,
    provider,
    speech,
    outages,
    async restart(signal, ms) {
      const from = now();
      const starved = hunger.lately();
      hunger.end();
      const code = await server.end(signal);
      const endedAt = now();
      if (signal === 'SIGTERM' && code !== 0) unexpected.push(`The server ended with ${code} after SIGTERM`);
      await new Promise((resolve) => setTimeout(resolve, ms));
      server = await startServer(folder, { ...settings, PORT: new URL(url).port });
      servers.push(server);
      hunger = followHunger(server.pid);
      outages.push({ signal, from, endedAt, until: now(), starved });
    },
    complaints: () => [...unexpected, ...servers.flatMap(complaintsOf)],
    async close() {
      speech.end();
      hunger.end();
      await server.end('SIGTERM');
      await provider.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Errors that a server logged: what fails in a chaos run is refused or retried, never an accident. */
function complaintsOf(server: ServerProcess): string[] {
  return server
    .said()
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('Parley is ready'));
}
