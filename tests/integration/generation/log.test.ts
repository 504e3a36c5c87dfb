import { afterAll, beforeAll } from 'vitest';
import { describeGenerationLog } from '../../contracts/generation-log.ts';
import { openMemoryStore } from '../../contracts/memory-log-store.ts';
import { openPostgresStore } from '../../contracts/postgres-log-store.ts';
import { createTestDatabase } from '../../support/database.ts';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

describeGenerationLog('a store in memory', openMemoryStore);
describeGenerationLog('PostgreSQL', () => openPostgresStore(database.db));
