// Puts the arguments of a call where the operation wants them: path, query, headers, body.
import type { ActionOperation } from '@parley/schema/assistants/operations';
import { isObject } from '@parley/schema/json';

export interface BuiltRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string | undefined;
}

/** Arguments that cannot be sent. The message is a sentence for the model. */
export class UnusableArguments extends Error {
  override name = 'UnusableArguments';
}

const URL_MAX = 8_000;
const BODY_MAX = 256 * 1024;
const HEADER_MAX = 4_000;

/**
 * @param server address of the API, without a trailing slash
 * @throws UnusableArguments
 */
export function buildRequest(server: string, operation: ActionOperation, args: Record<string, unknown>): BuiltRequest {
  const url = urlOf(server, operation, args);
  // A map: a document may name a header "__proto__".
  const headers = new Map([['accept', 'application/json, text/*;q=0.9']]);
  for (const name of operation.headerArguments)
    if (isGiven(args[name])) headers.set(name.toLowerCase(), headerValue(name, args[name]));
  const body = bodyOf(operation, args);
  if (body && body.text.length > BODY_MAX) throw new UnusableArguments('The arguments are too long.');
  if (body) headers.set('content-type', body.type);
  return { method: operation.method.toUpperCase(), url, headers: Object.fromEntries(headers), body: body?.text };
}

function urlOf(server: string, operation: ActionOperation, args: Record<string, unknown>): string {
  const path = operation.path.replaceAll(/\{([^{}]+)\}/g, (_whole, name: string) => {
    const value = args[name];
    if (!operation.pathArguments.includes(name) || !isGiven(value) || value === '')
      throw new UnusableArguments(`The argument ${name} is missing.`);
    const text = textOf(value).toWellFormed();
    if (leavesFolder(text))
      throw new UnusableArguments(`The argument ${name} must not have "." or ".." between slashes.`);
    return encodeURIComponent(text);
  });
  const url = new URL(`${server}${path.startsWith('/') ? '' : '/'}${path}`);
  // The parser of addresses goes up a folder at these, so an argument could reach another path.
  if (path.split(/[/?#]/).some((part) => /^(?:\.|%2e){1,2}$/i.test(part)))
    throw new UnusableArguments('An argument of the path is not valid.');
  for (const name of operation.queryArguments)
    for (const value of [args[name]].flat()) if (isGiven(value)) url.searchParams.append(name, textOf(value));
  if (url.href.length > URL_MAX) throw new UnusableArguments('The arguments are too long for an address.');
  return url.href;
}

/**
 * Whether a part of the text is "." or "..", as servers read it that decode a path once or twice before they resolve it,
 * take backslashes for slashes, or cut what follows a semicolon.
 */
function leavesFolder(text: string): boolean {
  const plain = text.replaceAll(/%(?:25)*2e/gi, '.').replaceAll(/%(?:25)*(?:2f|5c)/gi, '/');
  return plain.split(/[/\\?#]/).some((part) => /^\.{1,2}(?:;|$)/.test(part.trim()));
}

function headerValue(name: string, value: unknown): string {
  const text = textOf(value).trim();
  if (text.length > HEADER_MAX || !/^[\t\x20-\x7e]*$/.test(text))
    throw new UnusableArguments(`The argument ${name} must be one line of ASCII characters.`);
  return text;
}

/** What is not in the path, the query or the headers. */
function bodyOf(operation: ActionOperation, args: Record<string, unknown>): { type: string; text: string } | null {
  const { body, pathArguments, queryArguments, headerArguments } = operation;
  // As existing clients send them.
  if (!body) return operation.method === 'get' ? null : { type: FORM, text: '' };
  const elsewhere = new Set([...pathArguments, ...queryArguments, ...headerArguments]);
  const fields = Object.entries(args).filter(([name, value]) => !elsewhere.has(name) && value !== undefined);
  const value = body.isWhole ? args.body : Object.fromEntries(fields);
  if (value === undefined) return null;
  if (body.type === 'json') return { type: 'application/json', text: JSON.stringify(value) };
  const form = new URLSearchParams();
  for (const [name, field] of isObject(value) ? Object.entries(value) : [])
    for (const one of [field].flat()) if (isGiven(one)) form.append(name, textOf(one));
  return { type: FORM, text: form.toString() };
}

const FORM = 'application/x-www-form-urlencoded';

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
