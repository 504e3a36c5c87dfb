import { describeAddress, connect, type Db } from '@parley/db/client';
import { migrate } from '@parley/db/migrate';
import type { Config } from '../config/config.ts';
import { openDatabase, type DatabaseSettings, type OpenDatabase } from '../platform/database.ts';
import { NO_OPERATOR, type Operator } from '../config/operator.ts';

/** Runs `work` in the database that `npm start` uses, whether or not a server is running on it. */
export async function withDatabase<T>(
  config: Config,
  migrations: string,
  work: (db: Db) => Promise<T>,
  operator: Operator = NO_OPERATOR,
): Promise<T> {
  const { connection, close } = await openFor(operator, config);
  try {
    operator.show(null, nameDatabase(config));
    await migrate(connection, migrations);
    const db = connect(connection);
    const stop = () => void db.end();
    operator.signal.addEventListener('abort', stop);
    try {
      return await work(db);
    } finally {
      operator.signal.removeEventListener('abort', stop);
      await db.end();
    }
  } finally {
    await close();
  }
}

/** Opens the database; the operator is told when that takes long. */
export async function openFor(operator: Operator, config: DatabaseSettings): Promise<OpenDatabase> {
  operator.show(null, nameDatabase(config));
  const database = await openDatabase(config);
  if (!operator.signal.aborted) return database;
  await database.close();
  throw new Error('The command was stopped');
}

/** As operators know it, without its password. */
export function nameDatabase({ database, server }: DatabaseSettings): string {
  if (database.kind === 'external') return `the database at ${describeAddress({ kind: 'url', url: database.url })}`;
  return `the database in ${server.dataDir}`;
}
