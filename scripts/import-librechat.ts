// `npm run import-librechat -- <folder> [--dry-run]`: imports users, conversations, messages, presets, balances and files
// that `mongoexport` wrote into a folder, into the database and the file store that `npm start` uses.
import { createLogger } from '@parley/server/platform/logger';
import { loadConfig } from '@parley/server/config';
import { createStores } from '@parley/server/files/stores/create-stores';
import { importInstallation } from '@parley/server/transfer/installation/import-installation';
import { describeReport } from '@parley/server/transfer/installation/report';
import { withDatabase } from './with-database.ts';

const given = process.argv.slice(2);
const isDry = given.includes('--dry-run');
const [folder] = given.filter((word) => !word.startsWith('--'));
try {
  console.log(await run(folder));
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}

/** @throws Error with one sentence */
async function run(from: string | undefined): Promise<string> {
  if (!from) throw new Error('Which folder? Usage: npm run import-librechat -- <folder> [--dry-run]');
  const config = await loadConfig({ env: process.env, cwd: process.cwd() });
  const log = await createLogger(config.log);
  const began = performance.now();
  const report = await withDatabase(config, (db) =>
    importInstallation({ db, stores: createStores(config), config, log, isDry }, from),
  );
  const seconds = (performance.now() - began) / 1000;
  const memory = Math.round(process.resourceUsage().maxRSS / 1024);
  const note = isDry ? '\nThis was a dry run: nothing was written.' : '';
  return `${describeReport(report)}\n${seconds.toFixed(1)} s, at most ${memory} MB of memory.${note}`;
}
