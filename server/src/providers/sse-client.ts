// HTTP client for protocols without an official client: one POST, and the response as lines or server-sent events.
import { fetchUnredirected } from '../platform/deadline.ts';
import { Refusal, refuse } from '../platform/errors.ts';
import { assertEventLength, readShortText } from './bounded-body.ts';
import { failureIn } from './compatible/read-failure.ts';
import { reasonOfStatus } from './status.ts';

export interface Post {
  url: string;
  headers: Record<string, string | null>;
  body: string | Uint8Array<ArrayBuffer>;
  signal: AbortSignal;
  /** For the reason of a failure. */
  endpoint: string;
  /** Replaces the platform's `fetch`. */
  fetch?: typeof globalThis.fetch | undefined;
}

/**
 * Returns the response if its status is a success.
 * @throws Refusal with the reason otherwise
 */
export async function post({ url, headers, body, signal, endpoint, fetch }: Post): Promise<Response> {
  const given = Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== null);
  const request = { method: 'POST', headers: Object.fromEntries(given), body, signal };
  const response = await fetchUnredirected(url, request, fetch).catch((error: unknown) =>
    refuse(error instanceof Refusal ? error.reason : { type: 'provider_unavailable', status: null }),
  );
  if (response.ok) return response;
  const { text, ...more } = failureIn(await readShortText(response).catch(() => ''));
  return refuse(reasonOfStatus({ status: response.status, headers: response.headers, text, ...more }, endpoint));
}

/**
 * Yields the lines of a response without line ends; empty ones too. Calls `onBytes` for whatever arrives.
 * @throws Refusal `provider_malformed` for an endless line
 */
export async function* readLines(response: Response, onBytes?: () => void): AsyncGenerator<string, void> {
  const decoder = new TextDecoder();
  // Each chunk is scanned once, however long its line gets.
  let begun: string[] = [];
  let length = 0;
  for await (const bytes of response.body ?? []) {
    onBytes?.();
    const [first = '', ...more] = decoder.decode(bytes, { stream: true }).split('\n');
    begun.push(first);
    length += first.length;
    assertEventLength(length);
    const last = more.pop();
    if (last === undefined) continue;
    yield withoutReturn(begun.join(''));
    for (const line of more) yield withoutReturn(line);
    begun = [last];
    length = last.length;
  }
  const rest = begun.join('');
  if (rest !== '') yield rest;
}

function withoutReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}

/** The data of each server-sent event. Calls `onBytes` for whatever arrives. */
export async function* readEventData(response: Response, onBytes?: () => void): AsyncGenerator<string, void> {
  let data: string[] = [];
  let length = 0;
  for await (const line of readLines(response, onBytes)) {
    if (line.startsWith('data:')) {
      data.push(line.slice(line[5] === ' ' ? 6 : 5));
      length += line.length;
      assertEventLength(length);
    }
    if (line !== '' || data.length === 0) continue;
    yield data.join('\n');
    data = [];
    length = 0;
  }
}
