// The rooms of a server over a database of the test's own and a fake provider, called without HTTP.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { users } from '@parley/db/tables/users';
import { startFakeProvider, type FakeProvider } from '@parley/scripts/fake-provider';
import { loadConfig } from '@parley/server/config';
import { loadSecrets } from '@parley/server/config/secrets';
import type { Deps } from '@parley/server/deps';
import { openRooms } from '@parley/server/rooms';
import { createCaller, type Api } from '@parley/server/router';
import { pino } from 'pino';
import { createTestDatabase } from './database.ts';

export interface TestRooms {
  deps: Deps;
  provider: FakeProvider;
  /** A signed-in user's view; the same name is the same user. */
  as(name: 'alice' | 'bob' | 'carol'): Promise<Person>;
  close(): Promise<void>;
}

export interface Person {
  id: string;
  api: Api;
}

/** `env` adds to and replaces what the tests' server is started with. */
export async function openTestRooms(env: Record<string, string> = {}): Promise<TestRooms> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-rooms-'));
  const provider = await startFakeProvider();
  const database = await createTestDatabase();
  const openAI = { OPENAI_API_KEY: 'fake', OPENAI_REVERSE_PROXY: `${provider.url}/v1` };
  const config = await loadConfig({ env: { DATA_DIR: folder, ...openAI, ...env }, cwd: folder });
  const secrets = await loadSecrets(folder, config.env);
  const log = pino({ level: 'silent' });
  const rooms = await openRooms({ config, secrets, db: database.db, log, demo: null });
  const people = new Map<string, Promise<Person>>();
  return {
    deps: rooms.deps,
    provider,
    as(name) {
      const known = people.get(name) ?? createPerson(rooms.deps, name);
      people.set(name, known);
      return known;
    },
    async close() {
      await rooms.close();
      await provider.close();
      await database.drop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function createPerson(deps: Deps, name: string): Promise<Person> {
  const [row] = await deps.db.query
    .insert(users)
    .values({ email: `${name}@example.com`, name })
    .returning();
  const id = row?.id ?? '';
  const signedIn = { userId: id, sid: `sign-in of ${name}` };
  return { id, api: createCaller({ deps, http: null, socket: null, token: null, signedIn }) };
}
