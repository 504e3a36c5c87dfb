// `npm run backup -- <file>`: writes everything that a server has on this machine into one file, while it runs: the
// database, the stored files and secrets.json.
import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { noteBackup } from '@parley/db/backup-facts';
import { VERSION } from '@parley/schema/catalog/startup';
import { describeBackup } from '../backup/manifest.ts';
import { writeBackup } from '../backup/write-backup.ts';
import { loadConfig } from '../load-config.ts';
import { operatorCommand } from '../config/operator-command.ts';
import { createStores } from '../files/stores/create-stores.ts';
import { NO_OPERATOR } from '../config/operator.ts';
import { oneFile } from './one-file.ts';
import type { Command } from './run-command.ts';
import { openFor } from './with-database.ts';

export const backupCommand: Command = {
  args: '<file>',
  help: `Writes the database, the stored files and secrets.json into one new file, while the server runs.
Anyone with this file has everything in it: keep it where nobody else can read it.`,
  whenStopped: 'No backup was made.',
  async run(args, _migrations, operator = NO_OPERATOR) {
    const file = oneFile(args, `Into which file? Usage: ${operatorCommand('backup', '<file>')}`);
    const config = await loadConfig({ env: process.env, cwd: process.cwd() });
    const { connection, close } = await openFor(operator, config);
    try {
      const store = createStores(config).of('local');
      const secrets = join(config.server.dataDir, 'secrets.json');
      const source = { connection, store, secrets };
      const manifest = await writeBackup(source, resolve(file), operator);
      const { size: bytes } = await stat(resolve(file));
      await noteBackup(connection, { endedAt: new Date().toISOString(), bytes, version: VERSION });
      const elsewhere =
        config.files.strategy === 'local' ? '' : ` Files in ${config.files.strategy} are not in it: save them there.`;
      const kept = manifest.hasSecrets
        ? ' It has the secrets: keep it where nobody else reads it.'
        : ' The secrets are not in it: keep JWT_SECRET, JWT_REFRESH_SECRET and CREDS_KEY.';
      return `${describeBackup(manifest)} are in ${file}.${kept}${elsewhere}`;
    } finally {
      await close();
    }
  },
};
