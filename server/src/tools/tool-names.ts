// Names of tools as every provider accepts them: `^[A-Za-z0-9_-]{1,64}$`.
import { createHash } from 'node:crypto';

export const TOOL_NAME_MAX = 64;
const HASH_LENGTH = 8;

/** Puts `by` in the place of each character that a name may not have. */
export function legalName(text: string, by = '_'): string {
  return text.replaceAll(/[^a-zA-Z0-9_-]/g, by);
}

/** The beginning of a name with a hash of what it stands for, in at most `max` characters. */
export function hashedName(name: string, given = name, max = TOOL_NAME_MAX): string {
  const hash = createHash('sha256').update(given).digest('hex').slice(0, HASH_LENGTH);
  return `${name.slice(0, max - HASH_LENGTH - 1)}_${hash}`;
}

/** Makes each name unique: the second `a` becomes `a_2`. */
export function createUniqueNames(max = TOOL_NAME_MAX): (name: string) => string {
  const taken = new Set<string>();
  return (name) => {
    let unique = name;
    for (let n = 2; taken.has(unique); n++) unique = `${name.slice(0, max - `_${n}`.length)}_${n}`;
    taken.add(unique);
    return unique;
  };
}
