// `npm run restore -- <file>`: restores a backup into a new data folder, or an empty database.
import { join, resolve } from 'node:path';
import { describeBackup } from '../backup/manifest.ts';
import { openBackup, restoreBackup, restoreSecrets } from '../backup/restore-backup.ts';
import { loadConfig } from '../load-config.ts';
import { operatorCommand } from '../config/operator-command.ts';
import { createStores } from '../files/stores/create-stores.ts';
import { NO_OPERATOR } from '../config/operator.ts';
import { arrivalsFolder } from '../storage/arrivals.ts';
import { oneFile } from './one-file.ts';
import type { Command } from './run-command.ts';
import { openFor } from './with-database.ts';

export const restoreCommand: Command = {
  args: '<file>',
  help: `Restores a backup into a new DATA_DIR, or into an empty database at DATABASE_URL.
It refuses a database that is not empty, and a backup that is damaged or of a newer version.`,
  whenStopped: 'Either all rows were restored or none: run it again, which says whether the database is still empty.',
  async run(args, migrations, operator = NO_OPERATOR) {
    const file = oneFile(args, `From which file? Usage: ${operatorCommand('restore', '<file>')}`);
    const config = await loadConfig({ env: process.env, cwd: process.cwd() });
    operator.show(null, `the disk of ${file}`);
    const { zip, manifest } = await openBackup(resolve(file));
    const secrets = join(config.server.dataDir, 'secrets.json');
    await restoreSecrets(zip, secrets);
    const { connection, close } = await openFor(operator, config);
    try {
      const store = createStores(config).of('local');
      const arrivals = arrivalsFolder(config);
      const target = { connection, store, secrets, arrivals, migrations };
      await restoreBackup(zip, manifest, target, operator);
      const by = manifest.version ? `, made by version ${manifest.version},` : '';
      return `${describeBackup(manifest)} of ${manifest.madeAt}${by} are restored.`;
    } finally {
      await close();
    }
  },
};
