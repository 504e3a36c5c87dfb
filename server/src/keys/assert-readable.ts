// Validates the format of users' provider keys.
import { endpointTable, type EndpointType } from '@parley/schema/catalog/endpoints';
import { refuse } from '../platform/errors.ts';

/** A Google service account's key file, which has line breaks and is never sent as a header. */
const FILE = 'GOOGLE_SERVICE_KEY';

/**
 * Rejects unusable keys when they are saved rather than at the first question.
 * @throws Refusal `invalid_input`
 */
export function assertReadable(type: EndpointType, value: string): void {
  if (isBare(type)) return assertOneLine(value);
  const fields = objectIn(value);
  if (!fields) refuse({ type: 'invalid_input', text: 'value must be a JSON object that has the key in it' });
  for (const [name, field] of Object.entries(fields)) if (name !== FILE) assertField(field);
}

/** Whether the key is stored as is; the others are JSON that contains the key (docs/rest-compat.md, Keys of users). */
function isBare(type: EndpointType): boolean {
  return ['key', 'token'].includes(endpointTable[type].keyForm);
}

/** Azure's fields are nested JSON. */
function assertField(field: unknown): void {
  if (typeof field !== 'string') return;
  const inner = objectIn(field);
  for (const text of inner ? Object.values(inner) : [field]) if (typeof text === 'string') assertOneLine(text.trim());
}

/** A key is sent in a header, where a line break would start another one. */
function assertOneLine(text: string): void {
  if (/[\r\n\0]/.test(text)) refuse({ type: 'invalid_input', text: 'A key must be one line' });
}

function objectIn(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}
