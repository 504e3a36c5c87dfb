import { isObject, parseJson } from '@parley/schema/json';

type Json = string | number | boolean | null | Json[] | { [name: string]: Json };

/** The arguments of a call; null where the text is no JSON object. */
export function readArguments(text: string): Record<string, Json> | null {
  const value = parseJson(text.trim() || '{}');
  return isObject(value) ? (value as Record<string, Json>) : null;
}
