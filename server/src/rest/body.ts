/** In bytes; more than the longest question that fits a context window. */
const BODY_MAX = 3 * 1024 * 1024;

export type Unreadable = 'too large' | 'malformed';

/**
 * The body of a request as one object, empty when there is none or its type is neither JSON nor a form. Names that a
 * document database would read as operators or paths are dropped: clients may have them in what they send, and no
 * field of ours is called so.
 */
export async function readBody(request: Request): Promise<Record<string, unknown> | Unreadable> {
  const text = await readText(request);
  if (text === null) return 'too large';
  const type = request.headers.get('content-type') ?? '';
  if (/^application\/x-www-form-urlencoded\b/i.test(type)) return parseForm(text);
  if (!/^application\/json\b/i.test(type) || text.trim() === '') return {};
  return parseObject(text) ?? 'malformed';
}

/** Null when there is too much of it: the rest stays unread. */
async function readText({ body, headers }: Request): Promise<string | null> {
  if (Number(headers.get('content-length')) > BODY_MAX) return null;
  const reader = body?.getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (let size = 0; ;) {
    const { value } = (await reader?.read()) ?? {};
    if (!value) return text + decoder.decode();
    size += value.byteLength;
    if (size > BODY_MAX) return null;
    text += decoder.decode(value, { stream: true });
  }
}

/** A name like `arg[text]` is that of a field of an object; nothing that is sent as a form goes deeper. */
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
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}

function isFieldName(name: string): boolean {
  return !name.startsWith('$') && !name.includes('.');
}
