// Reads request bodies of the REST API.
import { isObject } from '@parley/schema/json';
import { readText, turnToParse, type BodyAuth, type Unread } from '../http/request-body.ts';

export type Unreadable = Unread | 'malformed' | 'other type';

/**
 * Parses a request body of at most `max` bytes as one object; empty when there is no body. A body of another type than
 * JSON and a form is not taken for an empty one, which may mean all. Drops field names that a document database would
 * read as operators or paths: clients may send them, and no field of this API has such a name.
 */
export async function readBody(
  request: Request,
  max: number,
  auth: BodyAuth | null,
): Promise<Record<string, unknown> | Unreadable> {
  const type = request.headers.get('content-type') ?? '';
  const decoder = decoderOf(type);
  if (!decoder) return 'other type';
  const read = await readText(request, max, auth, decoder);
  if (typeof read === 'string') return read;
  const { text } = read;
  await turnToParse(text);
  if (/^application\/x-www-form-urlencoded\b/i.test(type)) return parseForm(text);
  if (text.trim() === '') return {};
  if (!/^application\/json\b/i.test(type)) return 'other type';
  return parseObject(text) ?? 'malformed';
}

/** For the charset that the client names; null when nobody knows it. */
function decoderOf(type: string): TextDecoder | null {
  const [, charset = 'utf-8'] = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(type) ?? [];
  try {
    return new TextDecoder(charset);
  } catch {
    return null;
  }
}

/** Form fields named `arg[text]` become nested objects; one level is enough for all clients. */
function parseForm(text: string): Record<string, unknown> {
  const fields = new Map<string, unknown>();
  const objects = new Map<string, Map<string, unknown>>();
  for (const [name, value] of new URLSearchParams(text)) {
    const [, outer, inner] = /^([^[\]]+)\[([^[\]]+)\]$/.exec(name) ?? [name, name];
    if (!outer || !isFieldName(outer) || (inner !== undefined && !isFieldName(inner))) continue;
    if (inner === undefined) fields.set(outer, value);
    else objects.set(outer, (objects.get(outer) ?? new Map<string, unknown>()).set(inner, value));
  }
  return Object.fromEntries([...fields, ...[...objects].map(([name, own]) => [name, Object.fromEntries(own)])]);
}

function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text, (name, item: unknown) => (isFieldName(name) ? item : undefined));
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

function isFieldName(name: string): boolean {
  return !name.startsWith('$') && !name.includes('.');
}
