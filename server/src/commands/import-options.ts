// The options of `npm run import-librechat`.
import { parseArgs } from 'node:util';

const USAGE = `Usage: npm run import-librechat -- <folder> [options]
  --dry-run           tells what would be written, and writes nothing
  --join <address>    this account here is that person, although nobody proved the address; may be repeated
  --join-all          so are all accounts here with the address of a person of the export
  --admin <address>   this person of the export becomes an administrator
Keys of people and actions come along with LIBRECHAT_CREDS_KEY and LIBRECHAT_CREDS_IV in the environment: the CREDS_KEY
and CREDS_IV of the other installation.`;

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
