import { isObject } from '@parley/schema/json';

/** A stored form with the fields of `like`; undefined where one is missing or of another type. */
export function parseForm<Form extends object>(like: Form, stored: unknown): Form | undefined {
  if (!isObject(stored)) return undefined;
  const entries = Object.entries(like).map(([field, value]) => [field, parseLike(value, stored[field])] as const);
  return entries.some(([, value]) => value === undefined) ? undefined : (Object.fromEntries(entries) as Form);
}

function parseLike(like: unknown, stored: unknown): unknown {
  if (Array.isArray(like)) {
    return Array.isArray(stored) && stored.every((one) => typeof one === 'string') ? stored : undefined;
  }
  if (isObject(like)) return parseForm(like, stored);
  return typeof stored === typeof like ? stored : undefined;
}
