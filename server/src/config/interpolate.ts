import { configError } from './config-error.ts';
import type { RawEnv } from './env.ts';
import { pathText, type Path } from './yaml-path.ts';
import type { Problem } from './yaml-rules.ts';

const REFERENCE = /\$\{([A-Za-z_]\w*)\}/g;

/** An Azure group's address is completed per model, when it is called. */
const AZURE_PLACEHOLDERS = new Set(['INSTANCE_NAME', 'DEPLOYMENT_NAME']);
const AZURE_GROUP_BASE_URL = /^endpoints\.azureOpenAI\.groups\[\d+\]\.baseURL$/;

/** Far deeper than the schema; a list or map that contains itself by an alias has no end. */
const DEEPEST = 100;

/** What is filled in: `onMissing` hears of each variable that is missing or empty, whose reference stays as it is. */
interface Source {
  env: RawEnv;
  file: string;
  onMissing: (problem: Problem) => void;
}

/**
 * A copy of a parsed yaml tree in which each `${NAME}` of a text value is the environment variable of that name. What is
 * filled in is not searched again. Throws a ConfigError for a tree without an end.
 */
export function interpolate(value: unknown, source: Source, path: Path = []): unknown {
  if (path.length > DEEPEST)
    throw configError(`${source.file} must not nest lists and maps deeper than ${DEEPEST} levels.`);
  if (typeof value === 'string') return fillIn(value, source, path);
  if (Array.isArray(value)) return value.map((item, index) => interpolate(item, source, [...path, index]));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  return Object.fromEntries(entries.map(([key, item]) => [key, interpolate(item, source, [...path, key])]));
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
