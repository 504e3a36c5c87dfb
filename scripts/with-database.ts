import { fileURLToPath } from 'node:url';
import { connect, type Db } from '@parley/db/client';
import { migrate } from '@parley/db/migrate';
import type { Config } from '@parley/server/config';
import { openDatabase } from '@parley/server/platform/database';

/** Runs `work` in the database that `npm start` uses, whether or not a server is running on it. */
export async function withDatabase<T>(config: Config, work: (db: Db) => Promise<T>): Promise<T> {
  const { connection, close } = await openDatabase(config);
  try {
    await migrate(connection, fileURLToPath(new URL('../db/migrations', import.meta.url)));
    const db = connect(connection);
    try {
      return await work(db);
    } finally {
      await db.end();
    }
  } finally {
    await close();
  }
}
