/**
 * The body of a request as one object; null when it is not well formed. Names that a document database would read as
 * operators or paths are dropped: clients may have them in what they send, and no field of ours is called so.
 */
export async function readBody(request: Request): Promise<Record<string, unknown> | null> {
  const type = request.headers.get('content-type') ?? '';
  if (/^application\/x-www-form-urlencoded\b/i.test(type)) {
    const fields = [...new URLSearchParams(await request.text())];
    return Object.fromEntries(fields.filter(([name]) => isFieldName(name)));
  }
  if (!/^application\/json\b/i.test(type)) return {};
  const text = await request.text();
  return text.trim() === '' ? {} : parseObject(text);
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
