// `npm run import-librechat -- <folder> [--dry-run]`: imports users, conversations, messages, presets, balances, files,
// assistants, actions and keys that `mongoexport` wrote into a folder, into the database and the file store that
// `npm start` uses.
import { parseArgs } from 'node:util';
import type { Db } from '@parley/db/client';
import { loadConfig } from '../load-config.ts';
import { operatorCommand } from '../config/operator-command.ts';
import { loadSecrets } from '../config/parts/secrets.ts';
import { createStores } from '../files/stores/create-stores.ts';
import { createEncryption } from '../keys/encryption.ts';
import { createLogger } from '../platform/logger.ts';
import { NO_OPERATOR, type Operator } from '../config/operator.ts';
import { importInstallation } from '../transfer/installation/import-installation.ts';
import { readOldSecrets } from '../transfer/installation/people/old-secrets.ts';
import { describeProgress, describeReport } from '../transfer/installation/report.ts';
import type { Command } from './run-command.ts';
import { nameDatabase, withDatabase } from './with-database.ts';

const ARGS = '<folder> [options]';
const OPTIONS = `  --dry-run           tells what would be written, and writes nothing
  --join <address>    this account here is that person, although nobody proved the address; may be repeated
  --join-all          so are all accounts here with the address of a person of the export
  --admin <address>   this person of the export becomes an administrator
Keys of people and actions, and second factors, come along with LIBRECHAT_CREDS_KEY and LIBRECHAT_CREDS_IV in the environment: the CREDS_KEY
and CREDS_IV of the other installation.`;
const USAGE = `Usage: ${operatorCommand('import-librechat', ARGS)}\n${OPTIONS}`;

export const importCommand: Command = {
  args: ARGS,
  help: `Imports a LibreChat installation from a folder that mongoexport wrote.\n${OPTIONS}`,
  whenStopped: 'Run it again: it adds what is missing.',
  run: importLibreChat,
};

/** @throws Error with one sentence */
async function importLibreChat(args: string[], migrations: string, operator: Operator = NO_OPERATOR): Promise<string> {
  const { folder, admin, ...given } = parseImportOptions(args);
  const config = await loadConfig({ env: process.env, cwd: process.cwd() });
  const log = await createLogger(config.log);
  const { LIBRECHAT_CREDS_KEY: key, LIBRECHAT_CREDS_IV: iv } = process.env;
  const oldSecrets = readOldSecrets(key, iv);
  const secrets = await loadSecrets(config.server.dataDir, config.env);
  const isDry = given['dry-run'];
  const began = performance.now();
  const database = nameDatabase(config);
  const bring = (db: Db) => {
    operator.show('Importing people, files and assistants', `${database} and the disk of ${folder}`);
    return importInstallation(
      {
        db,
        stores: createStores(config),
        config,
        log,
        isDry,
        encryption: createEncryption(secrets.credsKey, []),
        jwtSecret: secrets.jwtSecret,
        join: given.join ?? [],
        joinsAll: given['join-all'],
        onProgress: (report) => operator.show(`Importing: ${describeProgress(report)}`, database),
        ...(oldSecrets && { oldSecrets }),
        ...(admin !== undefined && { admin }),
      },
      folder,
    );
  };
  const report = await withDatabase(config, migrations, bring, operator);
  const seconds = (performance.now() - began) / 1000;
  const memory = Math.round(process.resourceUsage().maxRSS / 1024);
  const note = isDry ? '\nThis was a dry run: nothing was written.' : '';
  return `${describeReport(report, process.stdout.columns)}\n\n${seconds.toFixed(1)} s, at most ${memory} MB of memory.${note}`;
}

/** @throws Error with a sentence and the usage */
export function parseImportOptions(args: string[]) {
  const options = {
    'dry-run': { type: 'boolean', default: false },
    join: { type: 'string', multiple: true },
    'join-all': { type: 'boolean', default: false },
    admin: { type: 'string' },
  } as const;
  const [given, problem] = attempt(() => parseArgs({ args, options, allowPositionals: true, strict: true }));
  if (!given) throw new Error(`${problem}\n${USAGE}`);
  const [folder, ...more] = given.positionals;
  if (folder === undefined) throw new Error(`Which folder?\n${USAGE}`);
  if (more.length > 0) throw new Error(`Only one folder at a time, not also ${more.join(', ')}.\n${USAGE}`);
  return { folder, ...given.values };
}

function attempt<T>(work: () => T): [T, null] | [null, string] {
  try {
    return [work(), null];
  } catch (error) {
    return [null, error instanceof Error ? error.message : String(error)];
  }
}
