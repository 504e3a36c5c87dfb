// HTTP requests to OAuth providers. The operator configures these hosts, so requests use the global `fetch`, which
// honours the operator's proxy (`outbound-proxy.ts`). Time and response size are limited.
import { parseJson } from '@parley/schema/json';
import { fetchUnredirected, readBounded, withDeadline } from '../../platform/deadline.ts';

/** Time limit for the complete response. */
const TIMEOUT_MS = 10_000;
/** Response size limit in bytes; larger than any JWKS or profile. */
const ANSWER_MAX = 256 * 1024;

/** A failed request to a provider. The message is safe to log: it never contains the response. */
export class OAuthHttpError extends Error {
  override name = 'ProviderFault';
  readonly why: 'failed' | 'unreachable';

  constructor(why: OAuthHttpError['why'], message: string) {
    super(message);
    this.why = why;
  }
}

export interface SiteResponse {
  status: number;
  text: string;
}

/** @throws OAuthHttpError `unreachable`; `failed` for a response that is too long */
export async function requestSite(url: string, init: RequestInit = {}, timeoutMs = TIMEOUT_MS): Promise<SiteResponse> {
  const { host } = new URL(url);
  try {
    const headers = new Headers(init.headers);
    if (!headers.has('accept')) headers.set('accept', 'application/json');
    // GitHub rejects requests without a User-Agent.
    headers.set('user-agent', 'Parley');
    const response = await fetchUnredirected(url, { ...init, headers, signal: withDeadline(timeoutMs) });
    const tooLong = () => new OAuthHttpError('failed', `${host} answers more than ${ANSWER_MAX} bytes`);
    const body = await readBounded(response, ANSWER_MAX, tooLong);
    return { status: response.status, text: body.toString() };
  } catch (error) {
    if (error instanceof OAuthHttpError) throw error;
    throw new OAuthHttpError('unreachable', `${host} cannot be reached (${causeOf(error)})`);
  }
}

/** The JSON object of a successful response, or its list. @throws OAuthHttpError */
export async function requestObject(url: string, init?: RequestInit): Promise<Record<string, unknown>> {
  const { status, text } = await requestSite(url, init);
  const { host, pathname } = new URL(url);
  if (status !== 200) throw new OAuthHttpError(failureKindOf(status), `${host}${pathname} answers ${status}`);
  const value = parseJson(text);
  if (typeof value !== 'object' || value === null) failSite(`${host}${pathname} answers no JSON object`);
  return value as Record<string, unknown>;
}

export function failureKindOf(status: number): OAuthHttpError['why'] {
  return status >= 500 || status === 429 ? 'unreachable' : 'failed';
}

/** Throws for an invalid response of a provider. */
export function failSite(message: string): never {
  throw new OAuthHttpError('failed', message);
}

function causeOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (!(cause instanceof Error)) return String(cause);
  return 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.name;
}
