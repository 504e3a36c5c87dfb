// The environment of a chaos run: servers over one database of their own, and a provider and tools that outlive them.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Connection } from '@parley/db/client';
import { startEmbedded } from '@parley/db/embedded';
import { startFakeProvider, type FakeProvider } from '../fake-provider.ts';
import { now } from '../fake-provider/record.ts';
import { startPluginUpstreams, type PluginUpstreams } from '../fake-tools/plugin-upstreams.ts';
import { startServer, type ServerProcess } from '../server-process.ts';
import { watchCpuStarvation } from './cpu-starvation.ts';
import { recordProviderTimeline, type ProviderTimeline } from './provider-timeline.ts';

/** An outage of one server, in milliseconds since the epoch. */
export interface Outage {
  signal: 'SIGKILL' | 'SIGTERM';
  /** When the signal was sent. */
  from: number;
  /** When the process had ended. */
  endedAt: number;
  /** When its replacement was ready. */
  until: number;
  /** How many milliseconds of its last second the server waited for a CPU. */
  starved: number;
}

export interface Environment {
  /** Of each server. */
  urls: string[];
  folder: string;
  provider: FakeProvider;
  timeline: ProviderTimeline;
  /** The service that tools call. */
  tools: PluginUpstreams;
  outages: Outage[];
  /** Stops one server with a signal and restarts it at the same address `ms` later. */
  restart(index: number, signal: Outage['signal'], ms: number): Promise<void>;
  /** The errors that the servers have logged so far. */
  complaints(): string[];
  /** The servers' database, to look at; `stop` ends what was started for it. */
  openDatabase(): Promise<{ connection: Connection; stop(): Promise<void> }>;
  close(): Promise<void>;
}

const MODEL = 'gpt-4';

/** Short timeouts, so that a provider's silence ends within a run. */
const TIMEOUTS = { STREAM_FIRST_TIMEOUT: '4000', STREAM_IDLE_TIMEOUT: '3000' };

export async function startEnvironment(count: number): Promise<Environment> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-chaos-'));
  const provider = await startFakeProvider();
  const tools = await startPluginUpstreams();
  const external = externalDatabase();
  const settings = {
    DATA_DIR: folder,
    OPENAI_API_KEY: 'fake',
    OPENAI_REVERSE_PROXY: `${provider.url}/v1`,
    OPENAI_MODELS: MODEL,
    REGISTER_MAX: '1000',
    LOGIN_MAX: '100000',
    LOG_LEVEL: 'error',
    CODESHERPA_SERVER_URL: tools.url,
    TOOL_CALLS_PER_MINUTE: '100000',
    ...TIMEOUTS,
    ...external,
  };
  const slots: ServerSlot[] = [];
  for (let n = 0; n < count; n++)
    slots.push(await startServerSlot(() => startServer(folder, { ...settings, PORT: '0' })));
  const servers = slots.map(({ server }) => server);
  const timeline = recordProviderTimeline(provider.requests);
  const outages: Outage[] = [];
  const unexpected: string[] = [];
  return {
    urls: servers.map(({ url }) => url),
    folder,
    provider,
    timeline,
    tools,
    outages,
    async restart(index, signal, ms) {
      const slot = slots[index];
      if (!slot) throw new Error(`There is no server ${index}`);
      const from = now();
      const starved = slot.starvation.lately();
      slot.starvation.end();
      const code = await slot.server.end(signal);
      const endedAt = now();
      if (signal === 'SIGTERM' && code !== 0) unexpected.push(`The server ended with ${code} after SIGTERM`);
      await new Promise((resolve) => setTimeout(resolve, ms));
      const { port } = new URL(slot.server.url);
      const next = await startServerSlot(() => startServer(folder, { ...settings, PORT: port }));
      slots[index] = next;
      servers.push(next.server);
      outages.push({ signal, from, endedAt, until: now(), starved });
    },
    complaints: () => [...unexpected, ...servers.flatMap(errorLinesOf)],
    async openDatabase() {
      const { DATABASE_URL: url, DATABASE_DIRECT_URL: directUrl = url } = external;
      return directUrl ? { connection: { kind: 'url', url: directUrl }, stop: async () => {} } : startEmbedded(folder);
    },
    async close() {
      timeline.end();
      for (const { starvation } of slots) starvation.end();
      await Promise.all(slots.map(({ server }) => server.end('SIGTERM')));
      await provider.close();
      await tools.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** That of our own environment, if it names one. */
function externalDatabase(): Record<string, string> {
  const names = ['DATABASE_URL', 'DATABASE_DIRECT_URL', 'DATABASE_PREPARE'];
  return Object.fromEntries(names.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));
}

/** A server and how long it has waited for a CPU. */
interface ServerSlot {
  server: ServerProcess;
  starvation: ReturnType<typeof watchCpuStarvation>;
}

async function startServerSlot(start: () => Promise<ServerProcess>): Promise<ServerSlot> {
  const server = await start();
  return { server, starvation: watchCpuStarvation(server.pid) };
}

/** Errors in a server's log: failures in a chaos run must be refused or retried, never logged as errors. */
function errorLinesOf(server: ServerProcess): string[] {
  return server
    .said()
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('Parley is ready'));
}
