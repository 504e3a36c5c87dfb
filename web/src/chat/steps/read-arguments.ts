// Reads the arguments that a model wrote for a tool.
import { isObject, parseJson } from '@parley/schema/json';

/** The code that an interpreter is given: a member of its arguments, which may still be being written. */
export function readCode(input: string): string {
  const parsed = parseObject(input);
  if (parsed) return typeof parsed.code === 'string' ? parsed.code : input;
  const begun = /^\s*\{\s*"code"\s*:\s*"((?:[^"\\]|\\[^u]|\\u[0-9a-fA-F]{4})*)/.exec(input)?.[1];
  if (begun === undefined) return input.trimStart().startsWith('{') ? '' : input;
  // JSON.parse takes no raw line breaks, which some models write.
  const strict = begun.replaceAll('\n', '\\n').replaceAll('\r', '\\r').replaceAll('\t', '\\t');
  try {
    return String(JSON.parse(`"${strict}"`));
  } catch {
    return begun;
  }
}

/** The arguments by name, as text; null if they are no JSON object. */
export function readTable(input: string): [string, string][] | null {
  const parsed = parseObject(input);
  return parsed && Object.entries(parsed).map(([name, value]) => [name, textOf(value)]);
}

/** Where a call goes, when its arguments say so: a method and a host. */
export function readDestination(input: string): { method: string | null; host: string | null } {
  const parsed = parseObject(input) ?? {};
  const { method } = parsed;
  const isMethod = typeof method === 'string' && /^(?:get|post|put|patch|delete|head)$/i.test(method);
  return { method: isMethod ? method.toUpperCase() : null, host: hostOf(parsed) };
}

function hostOf(parsed: Record<string, unknown>): string | null {
  for (const name of ['url', 'uri', 'host', 'domain']) {
    const value = parsed[name];
    if (typeof value !== 'string' || value === '') continue;
    const address = [value, `https://${value}`].find((one) => URL.canParse(one) && new URL(one).host !== '');
    if (address) return new URL(address).host;
  }
  return null;
}

/** A longer place is cut. */
const PLACE_MAX = 60;

/** Host and path of the page that a call reads; null while its address is not known. */
export function readPage(input: string): string | null {
  const { url } = parseObject(input) ?? {};
  if (typeof url !== 'string' || !URL.canParse(url)) return null;
  const { host, pathname } = new URL(url);
  const place = `${host}${pathname === '/' ? '' : pathname}`;
  if (host === '') return null;
  return place.length > PLACE_MAX ? `${place.slice(0, PLACE_MAX - 1)}…` : place;
}

/** Pretty-printed if it is JSON. */
export function formatJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

function parseObject(input: string): Record<string, unknown> | null {
  const value = parseJson(input);
  return isObject(value) ? value : null;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}
