// `npm run restore -- <file>`: restores a backup into a new data folder, or an empty database.
import { join, resolve } from 'node:path';
import { describeBackup } from '../backup/manifest.ts';
import { openBackup, restoreBackup, restoreSecrets } from '../backup/restore-backup.ts';
import { loadConfig } from '../config.ts';
import { operatorCommand } from '../config/operator-command.ts';
import { createStores } from '../files/stores/create-stores.ts';
import { openDatabase } from '../platform/database.ts';
import { arrivalsFolder } from '../storage/arrivals.ts';

/** @throws Error with one sentence */
export async function restore([file]: string[], migrations: string): Promise<string> {
  if (!file) throw new Error(`From which file? Usage: ${operatorCommand('restore', '<file>')}`);
  const config = await loadConfig({ env: process.env, cwd: process.cwd() });
  const { zip, manifest } = await openBackup(resolve(file));
  const secrets = join(config.server.dataDir, 'secrets.json');
  await restoreSecrets(zip, secrets);
  const { connection, close } = await openDatabase(config);
  try {
    const store = createStores(config).of('local');
    await restoreBackup(zip, manifest, { connection, store, secrets, arrivals: arrivalsFolder(config), migrations });
    const by = manifest.version ? `, made by version ${manifest.version},` : '';
    return `${describeBackup(manifest)} of ${manifest.madeAt}${by} are restored.`;
  } finally {
    await close();
  }
}
