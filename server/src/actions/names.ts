// Names of operations: for models, and as REST clients know them.
import type { ActionOperation } from '@parley/schema/assistants/operations';
import { hashedName, legalName, TOOL_NAME_MAX } from '../tools/tool-names.ts';

const DELIMITER = '_action_';
/** The longest part of a name that stands for a domain, before its dots are replaced. */
const ENCODED_DOMAIN_LENGTH = 10;
const DOMAIN_SEPARATOR = '---';

/** `operationId`, or `{method}_{path}`, without characters that names of functions may not have. */
export function operationName(operationId: unknown, method: string, path: string): string {
  const given = typeof operationId === 'string' ? legalName(operationId, '') : '';
  return given || legalName(`${method}_${path}`, '');
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

/** The name for models. A long one keeps its beginning and ends with a hash. */
export function modelName({ name }: Pick<ActionOperation, 'name'>, domain: string): string {
  const suffix = DELIMITER + legalName(encodeDomain(domain), '');
  const room = TOOL_NAME_MAX - suffix.length;
  return (name.length <= room ? name : hashedName(name, name, room)) + suffix;
}
