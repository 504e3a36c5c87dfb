// Tests of this room: tests/unit/tools, tests/e2e/tools.

// Calls the services that tools stand for. Whatever goes wrong becomes a sentence for the model, without any secret.
import { parseJson } from '@parley/schema/json';
import type * as z from 'zod';
import type { Egress } from '../platform/egress.ts';
import { readBounded, withDeadline } from '../platform/deadline.ts';
import { Refusal } from '../platform/errors.ts';
import { maskSecrets } from '../platform/secrets.ts';
import type { FailedService } from './tool.ts';

/** A service that failed: its message is a sentence that the model gets. */
export class ServiceFailure extends Error {
  override name = 'ServiceFailure';

  /** Absent where no service was at fault. */
  readonly service: FailedService | undefined;
  /** The service's own words, without secrets; null without any. */
  readonly words: string | null;

  constructor(message: string, service?: FailedService, words: string | null = null) {
    super(message);
    this.service = service;
    this.words = words;
  }
}

export interface Service {
  /** For sentences. */
  name: string;
  /** Never repeated in a sentence, whatever the service answers. */
  secrets: readonly string[];
  /** Calls an address that a user chose; null for addresses of the operator. */
  egress: Pick<Egress, 'call'> | null;
}

export interface ServiceRequest {
  url: string;
  query?: Readonly<Record<string, string | number | undefined>>;
  /** POST with a `body`, else GET. */
  method?: 'GET' | 'POST' | 'PUT';
  headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  body?: unknown;
  signal: AbortSignal;
  timeoutMs?: number;
  maxBytes?: number;
}

const TIMEOUT_MS = 30_000;
const MAX_BYTES = 2 * 1024 * 1024;
/** How much of an error's body the model gets. */
const EXCERPT_CHARS_MAX = 300;

/**
 * The body of a successful reply as text.
 * @throws ServiceFailure; the reason of `signal` when that aborts
 */
export async function callService(service: Service, request: ServiceRequest): Promise<string> {
  const { signal, timeoutMs = TIMEOUT_MS } = request;
  const deadline = withDeadline(timeoutMs, signal);
  const host = hostOf(request.url);
  let status: number | null = null;
  try {
    const response = await send(service, request, deadline);
    ({ status } = response);
    const tooLong = () => failure(service, `${service.name} answers with more than is read`);
    const body = await readBounded(response, request.maxBytes ?? MAX_BYTES, tooLong);
    const text = new TextDecoder().decode(body);
    if (response.ok) return text;
    throw failure(service, `${service.name} answers with status ${response.status}`, excerptOf(text));
  } catch (error) {
    throwIfStopped(signal);
    const words = error instanceof ServiceFailure ? error.words : null;
    throw new ServiceFailure(sentenceOf(service, error, deadline, timeoutMs), { host, status }, words);
  }
}

function sentenceOf(service: Service, error: unknown, deadline: AbortSignal, timeoutMs: number): string {
  if (error instanceof ServiceFailure) return error.message;
  if (error instanceof Refusal) return `This server must not call the address of ${service.name}.`;
  if (deadline.aborted) return `${service.name} did not answer within ${timeoutMs / 1000} seconds.`;
  return `${service.name} cannot be reached.`;
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : '';
}

/** As `callService`, parsed by `schema`. */
export async function callServiceForJson<T>(
  service: Service,
  schema: z.ZodType<T>,
  request: ServiceRequest,
): Promise<T> {
  const text = await callService(service, request);
  const parsed = schema.safeParse(parseJson(text));
  if (parsed.success) return parsed.data;
  const { message, words } = failure(
    service,
    `${service.name} answers in a form that is not understood`,
    excerptOf(text),
  );
  throw new ServiceFailure(message, { host: hostOf(request.url), status: 200 }, words);
}

/** Throws the reason of the signal when it has aborted, as an error whatever the reason is. */
export function throwIfStopped(signal: AbortSignal): void {
  if (!signal.aborted) return;
  throw signal.reason instanceof Error ? signal.reason : new Error('The call was stopped', { cause: signal.reason });
}

function send(service: Service, request: ServiceRequest, signal: AbortSignal): Promise<Response> {
  const { body, method = body === undefined ? 'GET' : 'POST' } = request;
  const headers = { ...(body !== undefined && { 'content-type': 'application/json' }), ...request.headers };
  const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
  const url = addressOf(request);
  if (!service.egress) return fetch(url, { ...init, signal, redirect: 'manual' });
  // `signal` ends the time, so that a person who stops can be distinguished from it, and `readBounded` ends the length.
  const { timeoutMs = TIMEOUT_MS } = request;
  const limits = { maxBytes: Number.MAX_SAFE_INTEGER, timeoutMs: timeoutMs * 2, signal };
  return service.egress.call(url, init, limits);
}

function addressOf({ url, query = {} }: ServiceRequest): string {
  const given = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
  return given.length === 0 ? url : `${url}?${new URLSearchParams(given)}`;
}

/** The text of an error's body, in one line. */
function excerptOf(body: string): string {
  const text = body
    .slice(0, EXCERPT_CHARS_MAX * 10)
    .replaceAll(/<[^<>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return text.length > EXCERPT_CHARS_MAX ? `${text.slice(0, EXCERPT_CHARS_MAX)}…` : text;
}

function failure({ secrets }: Service, sentence: string, excerpt = ''): ServiceFailure {
  const words = maskSecrets(excerpt, secrets);
  return new ServiceFailure(words === '' ? `${sentence}.` : `${sentence}: ${words}`, undefined, words || null);
}
