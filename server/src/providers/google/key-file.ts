import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseServiceKey, type ServiceKey } from './service-key.ts';
import { fileErrorCause, configError } from '../../config/config-error.ts';

const DEFAULT_NAME = 'auth.json';

/**
 * Reads the key file of a Google service account: the configured one, else auth.json of the data folder if it exists.
 * Throws a ConfigError when it cannot be read or is invalid.
 */
export async function readServiceKey(
  file: string | undefined,
  { cwd, dataDir }: { cwd: string; dataDir: string },
): Promise<ServiceKey | undefined> {
  const path = file === undefined ? join(dataDir, DEFAULT_NAME) : resolve(cwd, file);
  const setting = file === undefined ? path : 'GOOGLE_SERVICE_KEY_FILE';
  const text = await readText(path, setting, file === undefined);
  if (text === undefined) return undefined;
  const key = parseServiceKey(text);
  if (key) return key;
  throw configError(
    `${setting} must be the JSON key file of a Google service account, with client_email, project_id and private_key.`,
  );
}

async function readText(path: string, setting: string, mayBeAbsent: boolean): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (mayBeAbsent && fileErrorCause(error) === 'ENOENT') return undefined;
    throw configError(`${setting} must be a readable file, but ${path} cannot be read (${fileErrorCause(error)}).`);
  }
}
