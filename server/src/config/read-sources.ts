// Reads the environment, .env and the yaml file, each by itself.
import { gatherProblems } from './config-error.ts';
import { text } from './env/env-readers.ts';
import { parseEnv, type Env, type EnvRows, type RawEnv } from './env/env.ts';
import { readEnvironment } from './env/read-environment.ts';
import { variablesIn } from './yaml/interpolate.ts';
import { parseYaml } from './yaml/yaml.ts';
import { readYamlFile } from './yaml/yaml-file.ts';
import type { Yaml } from './yaml/yaml-schema.ts';

export interface SourcesFrom {
  env: RawEnv;
  cwd: string;
}

interface Written {
  yaml: Yaml;
  /** The name of the yaml file, if there is one. */
  file?: string;
  /** What of it has no effect. */
  notices: string[];
  /** The variables that it uses. */
  variables: ReadonlySet<string>;
}

interface Sources extends Written {
  /** All variables, those of .env among them. */
  raw: Record<string, string>;
  env: Env;
}

/**
 * `rows` are the variables of providers and file stores.
 * @throws ConfigError with all problems
 */
export async function readSources(from: SourcesFrom, rows: EnvRows): Promise<Sources> {
  const raw = await readEnvironment(from.env, from.cwd);
  const problems = gatherProblems();
  const env = problems.attempt(() => parseEnv(raw, rows));
  const written = await parseFile(raw, from.cwd).catch(problems.note);
  if (!env || !written) throw problems.error();
  return { raw, env, ...written };
}

async function parseFile(raw: RawEnv, cwd: string): Promise<Written> {
  const file = await readYamlFile(text(raw.CONFIG_PATH), cwd);
  if (!file) return { yaml: {}, notices: [], variables: new Set() };
  return { ...(await parseYaml(file, raw)), file: file.name, variables: variablesIn(file.text) };
}
