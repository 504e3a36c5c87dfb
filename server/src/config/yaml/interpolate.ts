// Fills environment variables into the yaml file.
import { configError } from '../config-error.ts';
import type { RawEnv } from '../env/env.ts';
import { pathText, type Path } from './yaml-path.ts';
import type { Problem } from './yaml-rules.ts';

const REFERENCE = /\$\{([A-Za-z_]\w*)\}/g;

/** Filled in per model, when the Azure group is called. */
const AZURE_PLACEHOLDERS = new Set(['INSTANCE_NAME', 'DEPLOYMENT_NAME']);
const AZURE_GROUP_BASE_URL = /^endpoints\.azureOpenAI\.groups\[\d+\]\.baseURL$/;

/** Maximum depth, far beyond the schema's; an alias that contains itself would never end. */
const DEPTH_MAX = 100;

/** The values to fill in; `onMissing` is called for each missing or empty variable, whose reference stays unchanged. */
interface Source {
  env: RawEnv;
  file: string;
  onMissing: (problem: Problem) => void;
}

/**
 * Copies a parsed yaml tree and replaces each `${NAME}` in strings with that environment variable. Inserted values are
 * not interpolated again.
 */
export function interpolate(value: unknown, source: Source, path: Path = []): unknown {
  if (typeof value === 'string') return fillIn(value, source, path);
  if (Array.isArray(value)) return value.map((item, index) => interpolate(item, source, [...path, index]));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  return Object.fromEntries(entries.map(([key, item]) => [key, interpolate(item, source, [...path, key])]));
}

/** @throws ConfigError for a tree that is too deep, as a cyclic one is */
export function assertFlat(value: unknown, file: string, depth = 0): void {
  if (depth > DEPTH_MAX) throw configError(`${file} must not nest lists and maps deeper than ${DEPTH_MAX} levels.`);
  if (typeof value !== 'object' || value === null) return;
  for (const item of Object.values(value)) assertFlat(item, file, depth + 1);
}

/** The variables that a text refers to. */
export function variablesIn(text: string): Set<string> {
  return new Set(Array.from(text.matchAll(REFERENCE), ([, name = '']) => name));
}

function fillIn(text: string, { env, onMissing }: Source, path: Path): string {
  return text.replace(REFERENCE, (reference, name: string) => {
    if (AZURE_PLACEHOLDERS.has(name) && AZURE_GROUP_BASE_URL.test(pathText(path))) return reference;
    const given = Object.hasOwn(env, name) ? env[name]?.trim() : undefined;
    if (given) return given;
    onMissing({ path, says: `refers to ${reference}, but the environment variable ${name} is not set` });
    return reference;
  });
}
