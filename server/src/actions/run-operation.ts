// Calls one operation of an action: authorizes it, sends it, and reads the reply.
import type { TriedOperation } from '@parley/schema/assistants/actions';
import type { ActionOperation } from '@parley/schema/assistants/operations';
import type { ActionAuth } from '@parley/schema/assistants/assistants';
import type { Logger } from 'pino';
import type { CallInit } from '../platform/egress.ts';
import type { Config } from '../config/config.ts';
import { refuse, Refusal } from '../platform/errors.ts';
import { ACTIONS, isOff } from '../tools/tool-filter.ts';
import type { ToolOutcome } from '../tools/tool.ts';
import { authorize, type Authorized, type AuthorizeDeps } from './authorize.ts';
import { buildRequest, UnusableArguments, type BuiltRequest } from './build-request.ts';
import type { ActionRow } from './rows.ts';
import { tokenHostOf } from './secrets.ts';
import { cleanText } from '@parley/schema/clean-text';
import { decodeBytes } from '../retrieval/extract/encodings/decode-bytes.ts';

export interface RunDeps extends AuthorizeDeps {
  log: Logger;
  timeoutMs: number;
  /** Null when any public host may be called. */
  allowedDomains: readonly string[] | null;
}

export interface OperationCall {
  /** Who calls: the owner of the action, or somebody to whom it is lent. */
  userId: string;
  action: ActionRow;
  operation: ActionOperation;
  args: Record<string, unknown>;
  /** Names the call to the API, so that it is not carried out twice. */
  idempotencyKey: string;
  signal: AbortSignal;
}

export type OperationResult =
  | { type: 'answered'; request: BuiltRequest; reply: Reply }
  | { type: 'sign_in' }
  /** `request` is null when nothing was sent. `text` is a sentence. */
  | { type: 'failed'; request: BuiltRequest | null; text: string };

export const CALL_TIMEOUT_MS = 30_000;
const READ_MAX = 5 * 1024 * 1024;
/** More than is read, so that a long reply is cut before the guard ends it. */
const BODY_MAX = READ_MAX + 1024 * 1024;
/** How much of the body of a failed call the model gets. */
const FAILURE_MAX = 2_000;

/** Never throws: a failure is a sentence. */
export async function runOperation(deps: RunDeps, call: OperationCall): Promise<OperationResult> {
  const { domain, settings } = call.action;
  let request: BuiltRequest | null = null;
  try {
    const forbidden = forbiddenHost(call.action, deps.allowedDomains);
    if (forbidden !== null) return failed(null, `Calls of ${forbidden} are not allowed here.`);
    request = buildRequest(settings.server, call.operation, call.args);
    if (new URL(request.url).host !== domain) return failed(null, `Only ${domain} can be called.`);
    const authorized = await authorize(deps, call, call.signal);
    if (authorized.type !== 'headers') return unauthorized(authorized);
    const reply = await send(deps, call, request, authorized);
    return reply.type === 'answered' ? { ...reply, request } : reply;
  } catch (error) {
    return failed(request, sentenceOf(error, domain, deps.timeoutMs, call.signal));
  }
}

/** What a model gets of it; `signInUrl` is where its user signs in. */
export function operationOutcome(result: OperationResult, domain: string, signInUrl: string): ToolOutcome {
  switch (result.type) {
    case 'sign_in':
      return { type: 'needs', what: 'sign_in', url: signInUrl };
    case 'failed':
      return {
        type: 'failed',
        text: result.text,
        ...(result.request && { service: { host: domain, status: null } }),
      };
    case 'answered': {
      const { status, text, isText, isCut, contentType } = result.reply;
      if (status >= 300 && status < 400)
        return {
          type: 'failed',
          text: `${domain} answered with status ${status}, a redirect, which is not followed.`,
          service: { host: domain, status },
        };
      if (status >= 400)
        return {
          type: 'failed',
          text: `API call to ${domain} failed with status ${status}: ${text.slice(0, FAILURE_MAX)}`,
          service: { host: domain, status },
        };
      if (!isText) return { type: 'failed', text: `${domain} answered with ${contentType}, which cannot be read.` };
      if (text === '') return { type: 'done', text: `${domain} answered with status ${status} and no content.` };
      return { type: 'done', text: isCut ? `${text}\n[The rest of the reply was left out.]` : text };
    }
  }
}

/** What the editor shows of it, without secrets: those were added when it was sent. */
export function presentTried(result: OperationResult, signInUrl: string): TriedOperation {
  if (result.type === 'sign_in') return { request: null, reply: null, problem: null, signInUrl };
  const request = result.request && { ...result.request, body: result.request.body ?? null };
  if (result.type === 'failed') return { request, reply: null, problem: result.text, signInUrl: null };
  const { status, contentType, text, isCut } = result.reply;
  return { request, reply: { status, contentType, text, isCut }, problem: null, signInUrl: null };
}

/**
 * The host of an action, or that of its tokens, which the operator does not allow; null when both may be called.
 * @param allowed domains, each with its subdomains; null allows all
 */
export function forbiddenHost(
  { domain, settings: { auth } }: { domain: string; settings: { auth: ActionAuth } },
  allowed: readonly string[] | null,
): string | null {
  if (allowed === null) return null;
  const hosts = auth.type === 'oauth' ? [domain, tokenHostOf(auth)] : [domain];
  const isAllowed = (host: string) => {
    const name = host.replace(/:\d+$/, '');
    return allowed.some((one) => name === one || name.endsWith(`.${one}`));
  };
  return hosts.find((host) => !isAllowed(host)) ?? null;
}

type Sent = { type: 'answered'; reply: Reply } | Exclude<OperationResult, { type: 'answered' }>;

/** A token that the API refuses is replaced once. */
async function send(
  deps: RunDeps,
  call: OperationCall,
  request: BuiltRequest,
  authorized: Extract<Authorized, { type: 'headers' }>,
): Promise<Sent> {
  const first = await sendOnce(deps, call, request, authorized.headers);
  if (first.status !== 401 || authorized.token === null) return { type: 'answered', reply: first };
  const again = await authorize(deps, call, call.signal, authorized.token);
  if (again.type !== 'headers') return unauthorized(again);
  return { type: 'answered', reply: await sendOnce(deps, call, request, again.headers) };
}

async function sendOnce(
  { egress, log, timeoutMs }: RunDeps,
  { action, operation, idempotencyKey, signal }: OperationCall,
  request: BuiltRequest,
  authorization: Record<string, string>,
): Promise<Reply> {
  const own = { 'user-agent': 'Parley', ...(operation.method !== 'get' && { 'idempotency-key': idempotencyKey }) };
  const init: CallInit = { ...request, headers: { ...own, ...request.headers, ...authorization } };
  const began = performance.now();
  let status = 0;
  try {
    const response = await egress.call(request.url, init, { maxBytes: BODY_MAX, timeoutMs, signal });
    ({ status } = response);
    return await readReply(response, READ_MAX);
  } finally {
    const ms = Math.round(performance.now() - began);
    log.info(
      { event: 'action.called', host: action.domain, method: request.method, status, ms },
      'An action was called',
    );
  }
}

function unauthorized(authorized: Exclude<Authorized, { type: 'headers' }>): Exclude<Sent, { type: 'answered' }> {
  return authorized.type === 'sign_in' ? { type: 'sign_in' } : failed(null, authorized.text);
}

function failed(request: BuiltRequest | null, text: string): Extract<OperationResult, { type: 'failed' }> {
  return { type: 'failed', request, text };
}

function sentenceOf(error: unknown, domain: string, timeoutMs: number, signal: AbortSignal): string {
  if (signal.aborted) return 'The call was stopped.';
  if (error instanceof UnusableArguments) return error.message;
  if (error instanceof Refusal && error.reason.type === 'forbidden_base_url')
    return `${error.reason.host} may not be called: only public https addresses are.`;
  if (error instanceof DOMException && error.name === 'TimeoutError')
    return `${domain} did not answer within ${Math.round(timeoutMs / 1000)} seconds.`;
  return `${domain} cannot be reached.`;
}

/** @throws Refusal `invalid_input` where the operator or an administrator switched actions, or all tools, off */
export function assertActionsOn({ actions: { enabled }, tools }: Pick<Config, 'actions' | 'tools'>): void {
  if (!enabled || !tools.enabled || isOff(tools.filter, ACTIONS))
    refuse({ type: 'invalid_input', text: 'Actions are switched off on this server' });
}

// Reads what an API answers, as far as a model can use it.
interface Reply {
  status: number;
  contentType: string;
  /** JSON without superfluous spaces, or text as it is; empty when it is neither. */
  text: string;
  /** Whether there was more than is read. */
  isCut: boolean;
  isText: boolean;
}

/** Reads at most `maxBytes` of the body. @throws Error when the connection breaks or the time is over */
async function readReply(response: Response, maxBytes: number): Promise<Reply> {
  const { status } = response;
  const contentType = response.headers.get('content-type') ?? '';
  const isText =
    contentType === '' || /^(?:text\/|application\/(?:[\w.-]+\+)?(?:json|xml|yaml|x-ndjson)\b)/i.test(contentType);
  if (!isText) {
    await response.body?.cancel().catch(() => {});
    return { status, contentType, text: '', isCut: false, isText };
  }
  const { bytes, isCut } = await readSome(response, maxBytes);
  const text = cleanText(decode(bytes, contentType));
  return { status, contentType, text: isCut ? text : compact(text, contentType), isCut, isText };
}

async function readSome(response: Response, maxBytes: number): Promise<{ bytes: Uint8Array; isCut: boolean }> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    const room = maxBytes - size;
    chunks.push(chunk.subarray(0, room));
    size += chunk.byteLength;
    // Leaving the loop closes the connection.
    if (size > maxBytes) return { bytes: Buffer.concat(chunks), isCut: true };
  }
  return { bytes: Buffer.concat(chunks), isCut: false };
}

function decode(bytes: Uint8Array, contentType: string): string {
  const charset = /charset="?([\w-]+)/i.exec(contentType)?.[1] ?? 'utf-8';
  try {
    return decodeBytes(bytes, charset);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}

function compact(text: string, contentType: string): string {
  if (!/json/i.test(contentType)) return text;
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return text;
  }
}
