type Json = string | number | boolean | null | Json[] | { [name: string]: Json };

/** The arguments of a call; null where the text is no JSON object. */
export function readArguments(text: string): Record<string, Json> | null {
  try {
    const value: Json = JSON.parse(text.trim() || '{}');
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}
