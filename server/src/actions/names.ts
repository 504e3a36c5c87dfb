// Names of operations: for models, and as REST clients know them.
import { createHash } from 'node:crypto';
import type { ActionOperation } from '@parley/schema/assistants/operations';

const DELIMITER = '_action_';
/** The longest part of a name that stands for a domain, before its dots are replaced. */
const ENCODED_DOMAIN_LENGTH = 10;
const DOMAIN_SEPARATOR = '---';
/** Models take names of up to 64 characters. */
const NAME_MAX = 64;
const HASH_LENGTH = 8;

/** `operationId`, or `{method}_{path}`, without characters that names of functions may not have. */
export function operationName(operationId: unknown, method: string, path: string): string {
  const given = typeof operationId === 'string' ? allowed(operationId) : '';
  return given || allowed(`${method}_${path}`);
}

/** A domain without dots: short ones keep their letters, of long ones the beginning of their base64 is left. */
export function encodeDomain(domain: string): string {
  return domain.length <= ENCODED_DOMAIN_LENGTH
    ? domain.replaceAll('.', DOMAIN_SEPARATOR)
    : Buffer.from(domain).toString('base64').slice(0, ENCODED_DOMAIN_LENGTH);
}

/** `{operationId}_action_{domain}`, the name on the wire; at Azure the domain is encoded. */
export function wireName({ name }: Pick<ActionOperation, 'name'>, domain: string, isAzure = false): string {
  return `${name}${DELIMITER}${isAzure ? encodeDomain(domain) : domain}`;
}

/** The name for models: `^[A-Za-z0-9_-]{1,64}$`. A long one keeps its beginning and ends with a hash. */
export function modelName({ name }: Pick<ActionOperation, 'name'>, domain: string): string {
  const suffix = DELIMITER + allowed(encodeDomain(domain));
  const room = NAME_MAX - suffix.length;
  if (name.length <= room) return name + suffix;
  const hash = createHash('sha256').update(name).digest('hex').slice(0, HASH_LENGTH);
  return `${name.slice(0, room - HASH_LENGTH - 1)}_${hash}${suffix}`;
}

/** Makes each name unique: the second `a` becomes `a_2`. */
export function createUniqueNames(max = NAME_MAX): (name: string) => string {
  const taken = new Set<string>();
  return (name) => {
    let unique = name;
    for (let n = 2; taken.has(unique); n++) unique = `${name.slice(0, max - `_${n}`.length)}_${n}`;
    taken.add(unique);
    return unique;
  };
}

function allowed(text: string): string {
  return text.replaceAll(/[^a-zA-Z0-9_-]/g, '');
}
