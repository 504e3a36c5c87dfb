// For providers without a client of their own: one POST, and its answer line by line.
import { Refusal, refuse } from '../errors.ts';
import { reasonOfStatus } from './status.ts';

export interface Post {
  url: string;
  headers: Record<string, string | null>;
  body: string;
  signal: AbortSignal;
  /** For the reason of a failure. */
  endpoint: string;
  /** Calls in the place of the platform's. */
  fetch?: typeof globalThis.fetch | undefined;
}

/**
 * Gives the answer once its status is a good one.
 * @throws Refusal with the reason otherwise
 */
export async function post({
  url,
  headers,
  body,
  signal,
  endpoint,
  fetch = globalThis.fetch,
}: Post): Promise<Response> {
  const given = Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== null);
  const request = { method: 'POST', headers: Object.fromEntries(given), body, signal, redirect: 'error' as const };
  const response = await fetch(url, request).catch((error: unknown) =>
    refuse(error instanceof Refusal ? error.reason : { type: 'provider_unavailable', status: null }),
  );
  if (response.ok) return response;
  const { text, ...more } = failureIn(await response.text().catch(() => ''));
  return refuse(reasonOfStatus({ status: response.status, headers: response.headers, text, ...more }, endpoint));
}

/** The lines of an answer without their ends; empty ones too. */
export async function* linesOf(response: Response): AsyncGenerator<string, void> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const bytes of response.body ?? []) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) yield line.replace(/\r$/, '');
  }
  if (rest !== '') yield rest;
}

/** The data of each server-sent event. */
export async function* dataOf(response: Response): AsyncGenerator<string, void> {
  let data: string[] = [];
  for await (const line of linesOf(response)) {
    const [, value] = /^data: ?(.*)$/.exec(line) ?? [];
    if (value !== undefined) data.push(value);
    if (line !== '' || data.length === 0) continue;
    yield data.join('\n');
    data = [];
  }
}

export interface Failure {
  text: string;
  code?: string | undefined;
  retryAfter?: number | undefined;
}

type Loose = Record<string, unknown>;

/** What a provider says of a failure, in whichever of the usual shapes: Google's, Cohere's, ChatGPT's, that of a token endpoint. */
export function failureIn(body: string): Failure {
  try {
    const answer = JSON.parse(body) as Loose | Loose[] | null;
    return failureOf((Array.isArray(answer) ? answer[0] : answer) ?? {});
  } catch {
    // Somebody's page; its status says more.
    return { text: '' };
  }
}

/** As `failureIn`, of an answer that has been parsed. */
export function failureOf(answer: Loose): Failure {
  const error = [answer.error, answer.detail].find(isObject) ?? answer;
  const { message, error_description: described, details, status } = error;
  const text = [message, described, answer.error, answer.detail].find((words) => typeof words === 'string') ?? '';
  const facts = Array.isArray(details) ? (details as Loose[]) : [];
  const reason = facts.map((fact) => fact?.reason).find((word) => typeof word === 'string');
  const delay = facts.map((fact) => fact?.retryDelay).find((word) => typeof word === 'string');
  return {
    text,
    code: reason ?? (typeof status === 'string' ? status : undefined),
    retryAfter: delay === undefined ? undefined : Number.parseFloat(delay),
  };
}

function isObject(value: unknown): value is Loose {
  return typeof value === 'object' && value !== null;
}
