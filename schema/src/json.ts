/** What a text means as JSON; undefined where it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whether a value has fields: neither null nor a list. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The fields of a value of any shape, each of which may be anything; none where it is no object. */
export function asFields(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {};
}

/** The items of a value of any shape; none where it is no list. */
export function listIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Whether every field of an object passes a check. */
export function isTypedRecord<T>(value: unknown, isItem: (field: unknown) => field is T): value is Record<string, T> {
  return isObject(value) && Object.values(value).every(isItem);
}
