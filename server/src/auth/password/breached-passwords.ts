// Passwords of known breaches, looked up in files that the operator has downloaded: none is sent anywhere to be checked.
// A file has the hashes that begin with the five digits of its name, as the range API of Have I Been Pwned gives them out
// and its downloader saves them: https://haveibeenpwned.com/API/v3#PwnedPasswords.
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../../config/config.ts';
import { refuse } from '../../platform/errors.ts';

export const BREACHED = 'This password is known from a data breach. Please choose another one';

const PREFIX_DIGITS = 5;

/** @throws Refusal `invalid_input` */
export async function assertNotBreached(
  { config }: { config: Pick<Config, 'accounts'> },
  password: string,
): Promise<void> {
  const folder = config.accounts.breachedPasswordsDir;
  if (folder !== undefined && (await isBreached(folder, password))) refuse({ type: 'invalid_input', text: BREACHED });
}

async function isBreached(folder: string, password: string): Promise<boolean> {
  const hash = createHash('sha1').update(password).digest('hex').toUpperCase();
  const path = join(folder, hash.slice(0, PREFIX_DIGITS));
  const text = (await read(path)) ?? (await read(`${path}.txt`)) ?? '';
  const line = text.split('\n').find((each) => each.toUpperCase().startsWith(`${hash.slice(PREFIX_DIGITS)}:`));
  // A count of zero is padding.
  return line !== undefined && Number(line.split(':')[1]) > 0;
}

/** Null without the file: anyone who downloaded a part of the list has that part checked. */
async function read(path: string): Promise<string | null> {
  return readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
}
