/** What a reference such as `#/components/schemas/Bird` leads to in the same document; undefined for any other. */
export function valueAtPointer(document: unknown, reference: string): unknown {
  if (!reference.startsWith('#/')) return undefined;
  let found = document;
  for (const part of reference.slice(2).split('/')) {
    const key = decoded(part).replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return undefined;
    found = Reflect.get(found, key);
  }
  return found;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
