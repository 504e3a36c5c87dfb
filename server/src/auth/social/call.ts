// Calls to the sites that vouch for people. They are the operator's choice, so they are called by the platform's `fetch`,
// which goes by the operator's proxy (`outbound.ts`); but none of them may keep us waiting, or fill the memory.
import { withDeadline } from '../../deadline.ts';

/** How long an answer may take to be there whole. */
const PATIENCE_MS = 10_000;
/** More than any list of keys or description of a person has. */
const ANSWER_MAX = 256 * 1024;

/** Something about a provider's answer, in words for the log. What it sent is not among them. */
export class ProviderFault extends Error {
  override name = 'ProviderFault';
  readonly why: 'failed' | 'unreachable';

  constructor(why: ProviderFault['why'], message: string) {
    super(message);
    this.why = why;
  }
}

export interface Answer {
  status: number;
  text: string;
}

/** @throws ProviderFault `unreachable`; `failed` for an answer that is too long */
export async function call(url: string, init: RequestInit = {}, patienceMs = PATIENCE_MS): Promise<Answer> {
  const { host } = new URL(url);
  try {
    const headers = new Headers(init.headers);
    if (!headers.has('accept')) headers.set('accept', 'application/json');
    // GitHub refuses who has none.
    headers.set('user-agent', 'Parley');
    const response = await fetch(url, { ...init, headers, redirect: 'error', signal: withDeadline(patienceMs) });
    return { status: response.status, text: await readShort(response, host) };
  } catch (error) {
    if (error instanceof ProviderFault) throw error;
    throw new ProviderFault('unreachable', `${host} cannot be reached (${causeOf(error)})`);
  }
}

/** The object of a good answer. @throws ProviderFault */
export async function callForObject(url: string, init?: RequestInit): Promise<Record<string, unknown>> {
  const { status, text } = await call(url, init);
  const { host, pathname } = new URL(url);
  if (status !== 200) throw new ProviderFault(whyOf(status), `${host}${pathname} answers ${status}`);
  return objectIn(text) ?? fail(`${host}${pathname} answers no JSON object`);
}

/** Undefined when the text is none. */
export function objectIn(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

export function whyOf(status: number): ProviderFault['why'] {
  return status >= 500 || status === 429 ? 'unreachable' : 'failed';
}

/** For what a provider says and cannot be right. */
export function fail(message: string): never {
  throw new ProviderFault('failed', message);
}

async function readShort(response: Response, host: string): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > ANSWER_MAX) fail(`${host} answers more than ${ANSWER_MAX} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

function causeOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (!(cause instanceof Error)) return String(cause);
  return 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.name;
}
