// The services of a server over a test database and a fake provider, called without HTTP.
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type Db } from '@parley/db/client';
import { users } from '@parley/db/tables/users';
import { startFakeProvider, type FakeProvider } from '@parley/scripts/fake-provider';
import { loadConfig } from '@parley/server/load-config';
import { loadSecrets } from '@parley/server/config/parts/secrets';
import type { Extractor } from '@parley/server/retrieval/extracted';
import { createServices, type Deps } from '@parley/server/services';
import { createCaller, type Api } from '@parley/server/router';
import type { Timings } from '@parley/server/config/timings';
import type { ToolSource } from '@parley/server/tools/tool';
import { pino } from 'pino';
import { afterAll, beforeAll } from 'vitest';
import { createTestDatabase, POOL_SIZE } from './database.ts';
import { createBuiltExtractor } from './retrieval/built-extractor.ts';

export interface TestServices {
  deps: Deps;
  provider: FakeProvider;
  /** The API of a signed-in user; the same name is the same user, whose role the first call sets. */
  as(name: 'alice' | 'bob' | 'carol' | 'dave' | 'erin', role?: 'USER' | 'ADMIN'): Promise<Person>;
  /** Another process on the same data, with connections of its own, whose environment `env` changes. It is closed before this one. */
  beside(env: Record<string, string>): Promise<Pick<TestServices, 'deps' | 'close'>>;
  close(): Promise<void>;
}

export interface Person {
  id: string;
  api: Api;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** A busy machine is no failure: what times out, is taken over or is sent by itself does so when a test shortens these. */
const TEST_TIMINGS: Partial<Timings> = {
  askTimeoutMs: MINUTE,
  modelListTimeoutMs: MINUTE,
  socketAuthTimeoutMs: MINUTE,
  summaryTimeoutMs: 5 * MINUTE,
  documentWaitMs: 5 * MINUTE,
  toolListMs: MINUTE,
  toolServerMs: MINUTE,
  calculationMs: MINUTE,
  mailGraceMs: MINUTE,
  recoveryEveryMs: HOUR,
  queueEveryMs: HOUR,
  schedulesEveryMs: HOUR,
};

/**
 * `env` adds to and overrides the test server's environment, `timings` those of tests; `extractor` replaces the
 * one that reads files, `toolSources` add to those of the server. In a value of `env`, `${FAKE_PROVIDER}` is the
 * provider's address.
 */
export async function openTestServices(
  env: Record<string, string> = {},
  timings: Partial<Timings> = {},
  extractor?: Extractor,
  toolSources: readonly ToolSource[] = [],
): Promise<TestServices> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-services-'));
  const provider = await startFakeProvider();
  const database = await createTestDatabase();
  const openAI = { OPENAI_API_KEY: 'fake', OPENAI_REVERSE_PROXY: `${provider.url}/v1` };
  const open = async (given: Record<string, string>, db: Db) => {
    const named = Object.entries(given).map(([name, value]) => [name, value.replace('${FAKE_PROVIDER}', provider.url)]);
    const config = await loadConfig({
      env: { DATA_DIR: folder, ...openAI, ...Object.fromEntries(named) },
      cwd: folder,
    });
    return createServices({
      config,
      secrets: await loadSecrets(folder, config.env),
      db,
      log: pino({ level: 'silent' }),
      demo: null,
      takeoverWaitMs: 0,
      timings: { ...TEST_TIMINGS, ...timings },
      toolSources,
      extractor: extractor ?? createBuiltExtractor(),
    });
  };
  const services = await open(env, database.db);
  const people = new Map<string, Promise<Person>>();
  return {
    deps: services.deps,
    provider,
    as(name, role) {
      const known = people.get(name) ?? createPerson(services.deps, name, role);
      people.set(name, known);
      return known;
    },
    async beside(changed) {
      const db = connect(database.connection, { max: POOL_SIZE });
      const other = await open({ ...env, ...changed }, db);
      return {
        ...other,
        async close() {
          await other.close();
          await db.end();
        },
      };
    },
    async close() {
      await services.close();
      await provider.close();
      await database.drop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Services that all tests of a file share, and alice in them. They are there once the first test begins. */
export function withServices(): { readonly services: TestServices; readonly alice: Person } {
  let services: TestServices;
  let alice: Person;
  beforeAll(async () => {
    services = await openTestServices();
    alice = await services.as('alice');
  });
  afterAll(() => services.close());
  return {
    get services() {
      return services;
    },
    get alice() {
      return alice;
    },
  };
}

async function createPerson(deps: Deps, name: string, role: 'USER' | 'ADMIN' = 'USER'): Promise<Person> {
  const [row] = await deps.db.query
    .insert(users)
    .values({ email: `${name}@example.com`, name, role })
    .returning();
  return signedInAs(deps, row?.id ?? '');
}

/** Somebody who is signed in to this process. */
export function signedInAs(deps: Deps, id: string): Person {
  const signedIn = { userId: id, sid: randomUUID() };
  return { id, api: createCaller({ deps, http: null, socket: null, token: null, signedIn }) };
}
