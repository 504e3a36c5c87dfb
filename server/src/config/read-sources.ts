// Reads the environment, .env and the yaml file, each by itself.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseEnv as parseDotenv } from 'node:util';
import { gatherProblems, fileErrorCause, configError } from './config-error.ts';
import { parseEnv, type Env, type EnvRows, type RawEnv } from './env/env.ts';
import { readYaml, type WrittenYaml } from './yaml/yaml.ts';

export interface SourcesFrom {
  env: RawEnv;
  cwd: string;
}

interface Sources extends WrittenYaml {
  /** All variables, those of .env among them. */
  raw: Record<string, string>;
  env: Env;
}

/**
 * `rows` are the variables of providers, file stores, sign-in sites and plugins.
 * @throws ConfigError with all problems
 */
export async function readSources(from: SourcesFrom, rows: EnvRows): Promise<Sources> {
  const raw = await readEnvironment(from.env, from.cwd);
  const problems = gatherProblems();
  const env = problems.attempt(() => parseEnv(raw, rows));
  const written = await readYaml(raw, from.cwd).catch(problems.note);
  if (!env || !written) throw problems.error();
  return { raw, env, ...written };
}

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
