// A whole server over real HTTP, with its own port, database and data folder, and a fake provider behind it.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Db } from '@parley/db/client';
import { startFakeProvider, type FakeProvider } from '@parley/scripts/fake-provider';
import type { LoadFrom } from '@parley/server/load-config';
import { serve } from '@parley/server/serve';
import { inject, onTestFinished } from 'vitest';
import { copyTemplate, createTestDatabase, POOL_SIZE } from './database.ts';
import { createFolder } from './folders.ts';
import { createBuiltExtractor } from './retrieval/built-extractor.ts';

export interface TestServer {
  /** Without a trailing slash. */
  url: string;
  provider: FakeProvider;
  db: Db;
  close(): Promise<void>;
}

/** `env` adds to the server's environment; `yaml` is its parley.yaml, which may contain ${FAKE_PROVIDER}. */
export async function startTestServer(
  from: { env?: Record<string, string>; yaml?: string; providers?: LoadFrom['providers'] } = {},
): Promise<TestServer> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-server-'));
  const provider = await startFakeProvider();
  const database = await createTestDatabase();
  if (from.yaml) writeFileSync(join(folder, 'parley.yaml'), from.yaml);
  const env = {
    PORT: '0',
    HOST: '127.0.0.1',
    DATA_DIR: folder,
    DATABASE_URL: socketAddressOf(database.connection.database),
    DATABASE_POOL_SIZE: String(POOL_SIZE),
    LOG_LEVEL: 'silent',
    FAKE_PROVIDER: `${provider.url}/v1`,
    OPENAI_API_KEY: 'fake',
    OPENAI_REVERSE_PROXY: `${provider.url}/v1`,
    ...from.env,
  };
  const running = await serve({
    env,
    cwd: folder,
    extractor: createBuiltExtractor(),
    // A busy machine is no failure: the library of the calculator may take long to load.
    timings: { calculationMs: 60_000 },
    ...(from.providers && { providers: from.providers }),
  });
  return {
    url: running.url,
    provider,
    db: database.db,
    async close() {
      await running.close();
      await provider.close();
      await database.drop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A URL cannot hold a socket's folder; the driver reads missing parts from the environment, as libpq does. */
export function socketAddressOf(database: string): string {
  const { folder, user } = inject('database');
  process.env.PGHOST = folder;
  process.env.PGUSER = user;
  return `postgres:///${database}`;
}

/** The environment of a built server that is a process of its own, over a database of the test. `more` adds to it. */
export async function processEnvironment(
  provider: FakeProvider,
  more: Record<string, string> = {},
): Promise<Record<string, string>> {
  const database = await copyTemplate();
  onTestFinished(async () => void (await database.drop()));
  const { folder, user } = inject('database');
  const secret = 'a secret that all of them have, of some length';
  return {
    PGHOST: folder,
    PGUSER: user,
    DATABASE_URL: `postgres:///${database.connection.database}`,
    DATABASE_POOL_SIZE: '3',
    DATA_DIR: createFolder(),
    PORT: '0',
    JWT_SECRET: secret,
    JWT_REFRESH_SECRET: `${secret} too`,
    CREDS_KEY: '5'.repeat(64),
    OPENAI_API_KEY: 'fake',
    OPENAI_REVERSE_PROXY: `${provider.url}/v1`,
    OPENAI_MODELS: 'fake:echo,gpt-4',
    TITLE_CONVO: 'false',
    ...more,
  };
}
