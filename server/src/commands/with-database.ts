import { connect, type Db } from '@parley/db/client';
import { migrate } from '@parley/db/migrate';
import type { Config } from '../config.ts';
import { openDatabase } from '../platform/database.ts';

/** Runs `work` in the database that `npm start` uses, whether or not a server is running on it. */
export async function withDatabase<T>(config: Config, migrations: string, work: (db: Db) => Promise<T>): Promise<T> {
  const { connection, close } = await openDatabase(config);
  try {
    await migrate(connection, migrations);
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
