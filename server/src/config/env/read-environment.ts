import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseEnv as parseDotenv } from 'node:util';
import { fileErrorCause, configError } from '../config-error.ts';
import type { RawEnv } from './env.ts';

/** The variables of `.env` in `cwd`, if it exists, overridden by the real environment, even by empty values. */
export async function readEnvironment(env: RawEnv, cwd: string): Promise<Record<string, string>> {
  const merged = { ...parseDotenv(await readDotenv(cwd)), ...env };
  return Object.fromEntries(
    Object.entries(merged).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

async function readDotenv(cwd: string): Promise<string> {
  try {
    const text = await readFile(join(cwd, '.env'), 'utf8');
    return text.replace(/^\uFEFF/, '');
  } catch (error) {
    if (fileErrorCause(error) === 'ENOENT') return '';
    throw configError(`.env cannot be read (${fileErrorCause(error)}); it must be a readable file, or absent.`);
  }
}
