// `npm run import-librechat -- <folder> [--dry-run]`: imports users, conversations, messages, presets, balances, files,
// assistants, actions and keys that `mongoexport` wrote into a folder, into the database and the file store that
// `npm start` uses.
import { loadConfig } from '../config.ts';
import { loadSecrets } from '../config/parts/secrets.ts';
import { createStores } from '../files/stores/create-stores.ts';
import { createEncryption } from '../keys/encryption.ts';
import { createLogger } from '../platform/logger.ts';
import { importInstallation } from '../transfer/installation/import-installation.ts';
import { readOldSecrets } from '../transfer/installation/old-secrets.ts';
import { describeProgress, describeReport, type Report } from '../transfer/installation/report.ts';
import { parseImportOptions } from './import-options.ts';
import { withDatabase } from './with-database.ts';

const PROGRESS_MS = 5_000;

/** @throws Error with one sentence */
export async function importLibreChat(args: string[], migrations: string): Promise<string> {
  const { folder, admin, ...given } = parseImportOptions(args);
  const config = await loadConfig({ env: process.env, cwd: process.cwd() });
  const log = await createLogger(config.log);
  const { LIBRECHAT_CREDS_KEY: key, LIBRECHAT_CREDS_IV: iv } = process.env;
  const oldSecrets = readOldSecrets(key, iv);
  const { credsKey } = await loadSecrets(config.server.dataDir, config.env);
  const isDry = given['dry-run'];
  const began = performance.now();
  const report = await withDatabase(config, migrations, (db) =>
    importInstallation(
      {
        db,
        stores: createStores(config),
        config,
        log,
        isDry,
        encryption: createEncryption(credsKey, []),
        join: given.join ?? [],
        joinsAll: given['join-all'],
        onProgress: createProgress(),
        ...(oldSecrets && { oldSecrets }),
        ...(admin !== undefined && { admin }),
      },
      folder,
    ),
  );
  const seconds = (performance.now() - began) / 1000;
  const memory = Math.round(process.resourceUsage().maxRSS / 1024);
  const note = isDry ? '\nThis was a dry run: nothing was written.' : '';
  return `${describeReport(report)}\n${seconds.toFixed(1)} s, at most ${memory} MB of memory.${note}`;
}

/** A line on the standard error every few seconds. */
function createProgress(): (report: Report) => void {
  let last = performance.now();
  return (report) => {
    if (performance.now() - last < PROGRESS_MS) return;
    last = performance.now();
    console.error(describeProgress(report));
  };
}
