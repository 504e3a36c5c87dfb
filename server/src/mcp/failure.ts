// Why an MCP server did not answer, by the errors of its client.
import type { Reason } from '@parley/schema/reasons';
import { REDIRECTS } from '../platform/deadline.ts';
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
  invalidResult: 'INVALID_RESULT',
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
  const isSlow = (code: unknown) => typeof code === 'string' && /^(?:UND_ERR_\w+_TIMEOUT|ETIMEDOUT)$/.test(code);
  return someCause(error, (one) => {
    return one.name === 'TimeoutError' || codeOf(one) === CODES.timeout || isSlow(codeOf(one));
  });
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
  const malformed = malformedReason(error);
  if (malformed) return malformed;
  if (isLate(error)) return { type: 'provider_stalled', seconds: Math.round(timeoutMs / 1000) };
  const why = connectionFault(error);
  return { type: 'provider_unavailable', status: mcpHttpStatus(error), ...(why && { why }) };
}

/** What answers, but not as it should. */
function malformedReason(error: unknown): Reason | undefined {
  if (someCause(error, ({ message }) => /protocol version/i.test(message)))
    return { type: 'provider_malformed', why: 'version' };
  if (codeOf(error) === CODES.unexpectedContent) {
    const isPage = error instanceof Error && /html/i.test(error.message);
    return { type: 'provider_malformed', ...(!isPage && { why: 'not_mcp' as const }) };
  }
  if (error instanceof Error && error.name === 'ProtocolError') return { type: 'provider_malformed', why: 'error' };
  const isUnreadable =
    error instanceof SyntaxError || codeOf(error) === CODES.invalidResult || someCause(error, isOfZod);
  return isUnreadable ? { type: 'provider_malformed', why: 'not_mcp' } : undefined;
}

function isOfZod({ name }: Error): boolean {
  return name === 'ZodError' || name === '$ZodError';
}

type ConnectionFault = Extract<Reason, { type: 'provider_unavailable' }>['why'];

/** By the codes of Node.js and OpenSSL. */
function connectionFault(error: unknown): ConnectionFault {
  const codes = causesOf(error).flatMap((one) => [codeOf(one)].filter((code) => typeof code === 'string'));
  if (codes.some((code) => code === 'ENOTFOUND' || code === 'EAI_AGAIN' || code === 'ENODATA')) return 'no_host';
  if (codes.some((code) => /^CERT_|_CERT|CERTIFICATE|UNABLE_TO_VERIFY|SELF_SIGNED|ALTNAME/.test(code)))
    return 'bad_certificate';
  return codes.some((code) => /^ERR_SSL_|^ERR_TLS_|^EPROTO$/.test(code)) ? 'no_tls' : undefined;
}

/** A sentence for people and models; it repeats nothing that the server said. */
export function mcpFailureSentence(reason: Reason, name: string): string {
  switch (reason.type) {
    case 'unauthorized':
      return `${name} refuses access: it wants a sign-in or a header, which is not set up here.`;
    case 'forbidden_base_url':
      return `This server must not call the address of ${name}.`;
    case 'answer_too_long':
      return `The answer of ${name} is too long.`;
    case 'provider_malformed':
      return malformedSentence(reason, name);
    case 'provider_stalled':
      return `${name} did not answer within ${reason.seconds} seconds.`;
    case 'provider_unavailable':
      return reason.status === null ? unreachableSentence(reason, name) : statusSentence(reason.status, name);
    default:
      return `${name} cannot be used now.`;
  }
}

function malformedSentence({ why }: Extract<Reason, { type: 'provider_malformed' }>, name: string): string {
  switch (why) {
    case 'version':
      return `${name} speaks a version of the Model Context Protocol that is not supported here.`;
    case 'error':
      return `${name} answers with an error instead of its tools.`;
    case 'not_mcp':
      return `${name} answers, but not by the Model Context Protocol. Its address may be wrong.`;
    default:
      return `${name} answers with a page, not by the Model Context Protocol. Its address may be wrong.`;
  }
}

function unreachableSentence({ why }: { why?: ConnectionFault }, name: string): string {
  switch (why) {
    case 'no_host':
      return `${name} cannot be reached: no host of the name in its address was found.`;
    case 'bad_certificate':
      return `${name} cannot be reached: its certificate is not valid.`;
    case 'no_tls':
      return `${name} cannot be reached: it does not answer by https.`;
    default:
      return `${name} cannot be reached.`;
  }
}

function statusSentence(status: number, name: string): string {
  if (status === 403) return `${name} refuses access (status 403).`;
  if (status === 404) return `No tool server is at the address of ${name} (status 404).`;
  if (status === 429) return `${name} takes no more requests at the moment (status 429).`;
  if (REDIRECTS.includes(status)) return `The address of ${name} leads to another one, which is not followed.`;
  return `${name} answers with status ${status}.`;
}

function is(error: unknown, status: number): boolean {
  return mcpHttpStatus(error) === status;
}

export function mcpHttpStatus(error: unknown): number | null {
  if (!(error instanceof Error)) return null;
  if ('status' in error && typeof error.status === 'number') return error.status;
  // The client's older transport has the status of a stream as a code, and that of a message in its words.
  if (error.message.startsWith('SSE error:')) return statusIn(codeOf(error));
  return statusIn(Number(/^Error POSTing to endpoint \(HTTP (\d{3})\)/.exec(error.message)?.[1]));
}

/** A stream with status 200 has another fault. */
function statusIn(code: unknown): number | null {
  return typeof code === 'number' && code > 200 && code < 600 ? code : null;
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
