import { createPrivateKey } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import * as z from 'zod';
import { fileErrorCause, configError } from '../../config/config-error.ts';

/** The used fields of a Google service account's key file. */
export interface ServiceKey {
  projectId: string;
  clientEmail: string;
  privateKey: string;
  privateKeyId: string | undefined;
  /** The token endpoint. */
  tokenURL: string;
}

const TOKEN_URL = 'https://oauth2.googleapis.com/token';

const KeyFile = z.object({
  client_email: z.string().min(6),
  // It becomes part of an address.
  project_id: z.string().regex(/^[\w.:-]{3,}$/),
  private_key: z.string(),
  private_key_id: z.string().optional(),
  token_uri: z.url().default(TOKEN_URL),
});

/** Parses a JSON key file; undefined when the text is none. */
export function parseServiceKey(text: string): ServiceKey | undefined {
  try {
    const file = KeyFile.parse(JSON.parse(text));
    createPrivateKey(file.private_key);
    return {
      projectId: file.project_id,
      clientEmail: file.client_email,
      privateKey: file.private_key,
      privateKeyId: file.private_key_id,
      tokenURL: file.token_uri,
    };
  } catch {
    return undefined;
  }
}

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
