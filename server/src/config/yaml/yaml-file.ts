// Finds and reads the yaml file.
import { access, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { isHttpUrl } from '../addresses.ts';
import { fileErrorCause, configError } from '../config-error.ts';

/** `name` names the file in error messages. */
export type YamlText = { name: string; text: string };

/** The second name allows reusing an existing LibreChat configuration unchanged. */
const DEFAULT_NAMES = ['parley.yaml', 'librechat.yaml'];
const DOWNLOAD_TIMEOUT_MS = 10_000;
const DOWNLOAD_LIMIT_BYTES = 1024 * 1024;

/**
 * Reads the yaml file: `configPath` (a path or an http(s) URL) if given, otherwise the first default name that exists
 * in `cwd`; undefined when there is none.
 * @throws ConfigError when a required file cannot be read
 */
export async function readYamlFile(configPath: string | undefined, cwd: string): Promise<YamlText | undefined> {
  if (configPath && isHttpUrl(configPath)) return download(new URL(configPath));
  if (configPath) return { name: configPath, text: await readText(resolve(cwd, configPath), 'CONFIG_PATH') };
  const name = await firstThatExists(DEFAULT_NAMES, cwd);
  return name === undefined ? undefined : { name, text: await readText(join(cwd, name), name) };
}

async function firstThatExists(names: string[], cwd: string): Promise<string | undefined> {
  for (const name of names) {
    const exists = await access(join(cwd, name)).then(
      () => true,
      () => false,
    );
    if (exists) return name;
  }
  return undefined;
}

async function readText(path: string, setting: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const reason = fileErrorCause(error) === 'ENOENT' ? 'does not exist' : `cannot be read (${fileErrorCause(error)})`;
    throw configError(`${setting} must be a readable yaml file, but ${path} ${reason}.`);
  }
}

async function download(url: URL): Promise<YamlText> {
  if (url.username || url.password) throw configError('CONFIG_PATH must not hold a user name or password.');
  // Without the query, which may contain a secret.
  const name = `${url.origin}${url.pathname}`;
  const signal = AbortSignal.timeout(DOWNLOAD_TIMEOUT_MS);
  try {
    const response = await fetch(url, { signal });
    if (!response.ok) throw new Error(`it answered ${response.status}`);
    return { name, text: await readBounded(response) };
  } catch (error) {
    throw configError(`CONFIG_PATH must be a yaml file, but ${name} cannot be fetched: ${failureOf(error, signal)}.`);
  }
}

function failureOf(error: unknown, signal: AbortSignal): string {
  if (signal.aborted) return `no answer within ${DOWNLOAD_TIMEOUT_MS / 1000} seconds`;
  return fileErrorCause(error instanceof Error && error.cause ? error.cause : error);
}

async function readBounded(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > DOWNLOAD_LIMIT_BYTES) throw new Error(`it is larger than ${DOWNLOAD_LIMIT_BYTES / 1024 / 1024} MB`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
