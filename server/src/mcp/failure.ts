// Why an MCP server did not answer, by the errors of its client.
import type { Reason } from '@parley/schema/reasons';
import { Refusal } from '../platform/errors.ts';

/** The server wants a person to sign in. */
export class SignInNeeded extends Error {
  override name = 'SignInNeeded';

  constructor() {
    super('A person must sign in');
  }
}

/** The codes of the client's errors, which is loaded only on first use. */
const CODES = {
  notConnected: 'NOT_CONNECTED',
  closed: 'CONNECTION_CLOSED',
  timeout: 'REQUEST_TIMEOUT',
  unexpectedContent: 'CLIENT_HTTP_UNEXPECTED_CONTENT',
};

export function isSignInNeeded(error: unknown): boolean {
  return someCause(error, (one) => one.name === 'SignInNeeded' || one.name === 'UnauthorizedError' || is(one, 401));
}

/** The connection or its session has ended: another one may work. */
export function isLost(error: unknown): boolean {
  return isUnsent(error) || codeOf(error) === CODES.closed;
}

/** The server did not take the request. */
export function isUnsent(error: unknown): boolean {
  // Some servers answer 400 for a session that they do not know, against the specification.
  const isUnknownSession = error instanceof Error && is(error, 400) && /session/i.test(error.message);
  return codeOf(error) === CODES.notConnected || is(error, 404) || isUnknownSession;
}

export function isLate(error: unknown): boolean {
  return codeOf(error) === CODES.timeout || someCause(error, ({ name }) => name === 'TimeoutError');
}

/** By the words of the limit in `Egress.call`, and of `watch-requests.ts` where a stream was cut by it. */
function isTooLong(error: unknown): boolean {
  return someCause(error, ({ message }) => /has more than \d+ bytes|broke off, or is too long/.test(message));
}

export function mcpFailureReason(error: unknown, timeoutMs: number): Reason {
  if (isSignInNeeded(error)) return { type: 'unauthorized' };
  const refusal = causesOf(error).find((one) => one instanceof Refusal);
  if (refusal) return refusal.reason;
  if (isTooLong(error)) return { type: 'answer_too_long' };
  if (codeOf(error) === CODES.unexpectedContent) return { type: 'provider_malformed' };
  if (isLate(error)) return { type: 'provider_stalled', seconds: Math.round(timeoutMs / 1000) };
  return { type: 'provider_unavailable', status: mcpHttpStatus(error) };
}

/** A sentence for people and models; it repeats nothing that the server said. */
export function mcpFailureSentence(reason: Reason, name: string): string {
  switch (reason.type) {
    case 'unauthorized':
      return `${name} wants a person to sign in.`;
    case 'forbidden_base_url':
      return `This server must not call the address of ${name}.`;
    case 'answer_too_long':
      return `The answer of ${name} is too long.`;
    case 'provider_malformed':
      return `${name} answers with a page, not by the Model Context Protocol. Its address may be wrong.`;
    case 'provider_stalled':
      return `${name} did not answer within ${reason.seconds} seconds.`;
    case 'provider_unavailable':
      return reason.status === null ? `${name} cannot be reached.` : `${name} answers with status ${reason.status}.`;
    default:
      return `${name} cannot be used now.`;
  }
}

function is(error: unknown, status: number): boolean {
  return mcpHttpStatus(error) === status;
}

export function mcpHttpStatus(error: unknown): number | null {
  return error instanceof Error && 'status' in error && typeof error.status === 'number' ? error.status : null;
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

function someCause(error: unknown, test: (one: Error) => boolean): boolean {
  return causesOf(error).some((one) => one instanceof Error && test(one));
}

function causesOf(error: unknown): unknown[] {
  const causes: unknown[] = [];
  for (let one = error; one !== undefined && causes.length < 5; one = one instanceof Error ? one.cause : undefined)
    causes.push(one);
  return causes;
}
