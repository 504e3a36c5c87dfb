// The server's secrets: from the environment, or generated at the first start.
import { createHash, randomBytes } from 'node:crypto';
import { chmod, link, mkdir, open, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { parseJson } from '@parley/schema/json';
import * as z from 'zod';
import { fileErrorCause, configError, isConfigError } from '../config-error.ts';
import { parseEnv, type RawEnv } from '../env/env.ts';
import { ownSecret } from './published-secrets.ts';

export type Secrets = {
  /** Signs access tokens. */
  jwtSecret: string;
  /** Signs longer-lived values. */
  refreshSecret: string;
  /** 64 hex digits: the AES-256 key of stored provider keys. */
  credsKey: string;
  /** 16 hex digits that identify these secrets without revealing them. */
  fingerprint: string;
  /** Earlier keys, which still decrypt stored provider keys, and the fingerprint that each had. */
  former: { credsKey: string; fingerprint: string }[];
};

const hexSecret = z.string().regex(/^[\da-f]{64}$/i);
const storedSecrets = z.object({ jwtSecret: hexSecret, refreshSecret: hexSecret, credsKey: hexSecret });
type StoredSecrets = z.output<typeof storedSecrets>;

/**
 * Loads the server's secrets: from the environment, the rest from `<dataDir>/secrets.json`, which the first start
 * creates. Processes that start at the same time all use the same file.
 * @throws ConfigError when the file is damaged or cannot be written
 */
export async function loadSecrets(dataDir: string, env: RawEnv): Promise<Secrets> {
  const parsed = parseEnv(env);
  const jwtSecret = ownSecret(parsed, 'JWT_SECRET');
  const refreshSecret = ownSecret(parsed, 'JWT_REFRESH_SECRET');
  const credsKey = ownSecret(parsed, 'CREDS_KEY');
  const older = parsed.CREDS_KEY_OLD ?? [];
  if (jwtSecret && refreshSecret && credsKey) return withFingerprints({ jwtSecret, refreshSecret, credsKey }, older);
  const stored = await loadStored(dataDir);
  const secrets = {
    jwtSecret: jwtSecret ?? stored.jwtSecret,
    refreshSecret: refreshSecret ?? stored.refreshSecret,
    credsKey: credsKey ?? stored.credsKey,
  };
  return withFingerprints(secrets, older);
}

function withFingerprints(secrets: StoredSecrets, older: readonly string[]): Secrets {
  const former = older.map((credsKey) => ({ credsKey, fingerprint: fingerprintOf({ ...secrets, credsKey }) }));
  return { ...secrets, fingerprint: fingerprintOf(secrets), former };
}

function fingerprintOf({ jwtSecret, refreshSecret, credsKey }: StoredSecrets): string {
  const hash = createHash('sha256').update(JSON.stringify([jwtSecret, refreshSecret, credsKey.toLowerCase()]));
  return hash.digest('hex').slice(0, 16);
}

async function loadStored(dataDir: string): Promise<StoredSecrets> {
  const path = join(dataDir, 'secrets.json');
  try {
    return (await readStored(path)) ?? (await createStored(dataDir, path));
  } catch (error) {
    if (isConfigError(error)) throw error;
    throw configError(
      `The secrets file ${path} cannot be used (${fileErrorCause(error)}); DATA_DIR must be a writable folder.`,
    );
  }
}

async function readStored(path: string): Promise<StoredSecrets | undefined> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (fileErrorCause(error) === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  await tighten(path);
  const parsed = storedSecrets.safeParse(parseJson(text));
  if (parsed.success) return parsed.data;
  throw configError(
    `The secrets file ${path} is damaged: restore it from a backup, or remove it, which signs everyone out and loses the provider keys that users saved.`,
  );
}

/** Restricts permissions: a file copied or restored by hand is often readable to everyone. */
async function tighten(path: string): Promise<void> {
  const { mode } = await stat(path);
  if ((mode & 0o077) !== 0) await chmod(path, 0o600);
}

/**
 * Writes the file under a temporary name and hard-links it into place. The link is exclusive: nobody reads half a file,
 * and a process that comes second reads the first one's.
 */
async function createStored(dataDir: string, path: string): Promise<StoredSecrets> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const made = { jwtSecret: newSecret(), refreshSecret: newSecret(), credsKey: newSecret() };
  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  try {
    await writeDurably(draft, `${JSON.stringify(made, null, 2)}\n`);
    await link(draft, path);
    return made;
  } catch (error) {
    const first = fileErrorCause(error) === 'EEXIST' ? await readStored(path) : undefined;
    if (first) return first;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

async function writeDurably(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

function newSecret(): string {
  return randomBytes(32).toString('hex');
}
