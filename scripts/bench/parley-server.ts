// A complete Parley server to measure, with its own data folder.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServer, type ServerProcess } from '../server-process.ts';

export interface Parley {
  folder: string;
  server: ServerProcess;
  /** Restarts it with the same data. */
  restart(): Promise<ServerProcess>;
  close(): Promise<void>;
}

/** `more` are further environment variables. */
export async function openParley(providerUrl: string, more: Record<string, string> = {}): Promise<Parley> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-bench-'));
  const env = {
    DATA_DIR: folder,
    PORT: '0',
    OPENAI_API_KEY: 'fake',
    OPENAI_REVERSE_PROXY: `${providerUrl}/v1`,
    OPENAI_MODELS: 'gpt-4',
    REGISTER_MAX: '100000',
    LOGIN_MAX: '100000',
    ...more,
  };
  const parley: Parley = {
    folder,
    server: await startServer(folder, env),
    async restart() {
      await parley.server.end('SIGTERM');
      parley.server = await startServer(folder, env);
      return parley.server;
    },
    async close() {
      await parley.server.end('SIGTERM');
      rmSync(folder, { recursive: true, force: true });
    },
  };
  return parley;
}
