// Reads the environment, .env and the yaml file, each by itself.
import { gatherProblems } from './config-error.ts';
import { parseEnv, type Env, type EnvRows, type RawEnv } from './env/env.ts';
import { readEnvironment } from './env/read-environment.ts';
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
