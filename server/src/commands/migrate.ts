// `node server/dist/main.js --migrate`: migrates the database, for a job before the first process of a new version.
import { migrate } from '@parley/db/migrate';
import { VERSION } from '@parley/schema/catalog/startup';
import { parseEnv } from '../config/env/env.ts';
import { NO_OPERATOR } from '../config/operator.ts';
import { databaseConfig, serverConfig } from '../config/parts/server.ts';
import { readEnvironment } from '../config/read-sources.ts';
import { openFor } from './with-database.ts';
import { runCommand, type Command } from './run-command.ts';

const migrateCommand: Command = {
  args: '',
  help: 'Migrates the database and ends.',
  whenStopped: 'Either all migrations were applied or none.',
  async run(_args, migrations, operator = NO_OPERATOR) {
    const config = await loadDatabaseConfig(process.env, process.cwd());
    const { connection, close } = await openFor(operator, config);
    try {
      const missing = await migrate(connection, migrations);
      return `The database has the migrations of ${VERSION}${missing > 0 ? `: ${missing} were applied` : ''}.`;
    } finally {
      await close();
    }
  },
};

/** Migrates, prints one line and sets the exit code of the process. */
export async function migrateOnly(migrations: string): Promise<void> {
  await runCommand('--migrate', migrateCommand, [], migrations);
}

/** The database past its pooler. No other setting is read: a job that migrates has no keys and no port. */
async function loadDatabaseConfig(env: NodeJS.ProcessEnv, cwd: string) {
  const { DATA_DIR, DATABASE_URL, DATABASE_DIRECT_URL } = await readEnvironment(env, cwd);
  const needed = parseEnv({ DATA_DIR, DATABASE_URL, DATABASE_DIRECT_URL });
  const direct = { ...needed, DATABASE_URL: needed.DATABASE_DIRECT_URL ?? needed.DATABASE_URL };
  return {
    database: databaseConfig({ ...direct, DATABASE_DIRECT_URL: undefined }),
    server: serverConfig(needed, cwd),
  };
}
