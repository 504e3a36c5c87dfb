// Logs errors without content: messages that may quote user data are left out.
import { findPgCode } from '@parley/db/client';
import { isObject } from '@parley/schema/json';
import type { Reason } from '@parley/schema/reasons';
import type { Logger } from 'pino';
import { ZodError } from 'zod';
import { auditRefusedAccess } from './audit.ts';
import { Refusal } from './errors.ts';
import { reasonOfDatabase } from './database-fault.ts';

/** Log events other than audit events: fixed words that an operator can search and alert on. */
export type LogEvent = keyof typeof MESSAGES;

/** The context of an error: ids, names and durations only, never content. */
export interface ErrorContext {
  /** What failed; `db.error` replaces it when the database rejected a statement, unless the server ends. */
  event: LogEvent;
  /** The procedure, REST route or task. */
  path?: string | undefined;
  requestId?: string | undefined;
  userId?: string | undefined;
  generationId?: string | undefined;
  provider?: string | undefined;
  endpoint?: string | undefined;
  model?: string | undefined;
  /** Duration until the failure, in milliseconds. */
  ms?: number | undefined;
}

/** Maximum stack frames per log line. */
const FRAMES_MAX = 8;
const MESSAGE_MAX = 300;

/** Milliseconds between two lines about a lasting fault, which every request meets. */
const LASTING_EVERY_MS = 60_000;

/**
 * Logs an error in one line. Skips refusals and invalid input, which are answers to the client; a few
 * refusals of ids have an audit line, and at the level `debug` every refused request has a line. A full disk or a
 * database that is away is logged once a minute, with the number of errors since the last line, and so is each cause for
 * which files are not indexed. None of that holds for `server.failed`. `now` is in milliseconds.
 */
export function logError(log: Logger, error: unknown, context: ErrorContext, now = performance.now()): void {
  const { event, ...where } = context;
  // What ends the server is no answer to anybody, and has its own line, whatever was logged before.
  if (event === 'server.failed') return logFault(log, error, context);
  const fault = reasonOfDatabase(error);
  // The client gets the reason, too, but only the operator can help.
  if (fault) return logOngoing(log, FAULT_EVENTS[fault.type], { ...where, code: codeOfFault(error) }, now);
  if (event === 'request.failed') logRefused(log, error, where);
  const refused = refusedIdOf(error);
  if (refused && where.userId)
    return auditRefusedAccess(log, { userId: where.userId, path: where.path, what: refused }, now);
  const malformed = codeOfMalformed(error);
  if (malformed !== undefined)
    log.info({ event: 'request.malformed', ...where, code: malformed }, MESSAGES['request.malformed']);
  else if (!isReply(error)) logFault(log, error, context, now);
}

interface UnindexedFile {
  fileId: string;
  userId: string;
  state: string;
  attempts: number;
  reason: Reason['type'];
}

/** A line about a file that was not indexed, for a cause that many files may meet: once a minute, with their number. */
export function warnOfFile(log: Logger, where: UnindexedFile, now = performance.now()) {
  const line = nextLine(log, `index.failed ${where.reason}`, now);
  if (line) log.warn({ event: 'index.failed', ...where, ...line }, 'A file was not embedded');
}

/** At the level `debug`: why a request was refused. To the client it is an answer. */
export function logRefused(log: Logger, error: unknown, where: Omit<ErrorContext, 'event'>): void {
  if (!log.isLevelEnabled('debug')) return;
  const cause = refusalIn(error);
  const reason = cause instanceof Refusal ? reasonFacts(cause.reason) : { reason: 'invalid_input' };
  if (isReply(error)) log.debug({ event: 'request.refused', ...where, ...reason }, MESSAGES['request.refused']);
}

/** What an operator may know of a reason, whose text may quote what was asked. A provider's HTTP status is in some. */
export function reasonFacts(reason: Reason): { reason: Reason['type']; status?: number } {
  const status = 'status' in reason ? reason.status : null;
  return { reason: reason.type, ...(status !== null && { status }) };
}

/** Calls that no client of ours makes: the fault is the sender's, and its frames help nobody. */
const MALFORMED_CODES: readonly unknown[] = [
  'BAD_REQUEST',
  'PARSE_ERROR',
  'NOT_FOUND',
  'METHOD_NOT_SUPPORTED',
  'UNSUPPORTED_MEDIA_TYPE',
  'PAYLOAD_TOO_LARGE',
];

function codeOfMalformed(error: unknown): string | undefined {
  if (!(error instanceof Error) || error.name !== 'TRPCError' || !('code' in error) || isReply(error)) return undefined;
  return MALFORMED_CODES.includes(error.code) ? String(error.code) : undefined;
}

function logFault(log: Logger, error: unknown, { event, ...where }: ErrorContext, now = 0): void {
  const cause = causeOf(error);
  const pgCode = findPgCode(cause);
  const fields = {
    ...where,
    error: cause instanceof Error ? cause.name : typeof cause,
    code: pgCode ?? codeOf(cause),
    message: pgCode ? undefined : messageOf(cause),
    frames: framesOf(cause),
  };
  const logged = pgCode && event !== 'server.failed' ? 'db.error' : event;
  if (logged !== event) Object.assign(fields, { during: event, table: tableOf(cause) });
  const { error: name, code, frames } = fields;
  const line = event === 'index.failed' ? nextLine(log, [logged, name, code ?? frames?.[0]].join(' '), now) : {};
  if (line) log.error({ event: logged, ...fields, ...line }, MESSAGES[logged]);
}

const FAULT_EVENTS = { storage_full: 'storage.full', unavailable: 'db.unavailable' } as const;

/** By logger and cause: when the last line was written, and the errors since then. */
const lasting = new WeakMap<Logger, Map<string, { loggedAt: number; since: number }>>();

function logOngoing(log: Logger, event: LogEvent, where: object, now: number): void {
  const line = nextLine(log, event, now);
  if (line) log.error({ event, ...where, ...line }, MESSAGES[event]);
}

/** Null while the last line about this cause is less than a minute old; else how many errors had no line since then. */
function nextLine(log: Logger, cause: string, now: number): { unlogged?: number } | null {
  const causes = lasting.get(log) ?? new Map<string, { loggedAt: number; since: number }>();
  lasting.set(log, causes);
  const before = causes.get(cause);
  if (before && now - before.loggedAt < LASTING_EVERY_MS) {
    before.since += 1;
    return null;
  }
  causes.set(cause, { loggedAt: now, since: 0 });
  return before && before.since > 0 ? { unlogged: before.since } : {};
}

/** The table whose row a statement wanted when the database undid it for the sake of another, such as in a deadlock. */
function tableOf(cause: unknown): string | undefined {
  if (!isObject(cause) || typeof cause.where !== 'string') return undefined;
  return /in relation "(\w+)"/.exec(cause.where)?.[1];
}

function codeOfFault(error: unknown): string | undefined {
  const cause = causeOf(error);
  return findPgCode(cause) ?? codeOf(cause);
}

const MESSAGES = {
  'request.failed': 'A request failed',
  'request.malformed': 'A request was malformed',
  'request.refused': 'A request was refused',
  'generation.failed': 'A generation failed',
  'generation.recovered': 'A generation of a process that ended was saved from its log',
  'tool.failed': 'A tool failed',
  'tool.service_failed': 'The service of a tool failed',
  'db.error': 'The database refused a statement',
  'db.unavailable': 'The database cannot be reached, or has no memory or connections left',
  'storage.full': 'The disk of the database or of this server is full: nothing can be saved until there is room',
  'oauth.callback_failed': 'A sign-in by another site failed',
  'title.failed': 'A title could not be made',
  'mail.failed': 'A mail could not be sent',
  'import.failed': 'An import failed',
  'index.failed': 'A file could not be indexed',
  'task.failed': 'A background task failed',
  'server.listening': 'The server listens',
  'server.draining': 'The server finishes what runs and stops',
  'server.step_left': 'The shutdown does not wait any longer for one of its steps',
  'server.cut': 'The shutdown did not end in time: the process ends at once',
  'server.stuck': 'Another process on this data folder was told to stop and has not ended',
  'server.stopped': 'The server has stopped',
  'server.failed': 'An error that nothing handles ends the server',
};

/** What belongs to somebody and was asked for by its id. */
const OWNED: readonly string[] = [
  'convo',
  'message',
  'generation',
  'file',
  'assistant',
  'action',
  'mcp_server',
  'folder',
  'share',
];

function refusedIdOf(error: unknown): string | null {
  const cause = refusalIn(error);
  if (!(cause instanceof Refusal) || cause.reason.type !== 'not_found') return null;
  return OWNED.includes(cause.reason.what) ? cause.reason.what : null;
}

function refusalIn(error: unknown): unknown {
  return error instanceof Error && error.name === 'TRPCError' ? error.cause : error;
}

function isReply(error: unknown): boolean {
  const cause = refusalIn(error);
  return cause instanceof Refusal || cause instanceof ZodError;
}

/** Unwraps errors of tRPC and drizzle; drizzle's own message contains the statement with its values. */
function causeOf(error: unknown): unknown {
  return error instanceof Error && error.cause instanceof Error ? error.cause : error;
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined;
}

/** Omits the message of a SyntaxError, which quotes the input and may contain user data. */
function messageOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  return error instanceof SyntaxError ? undefined : error.message.slice(0, MESSAGE_MAX);
}

/** The stack frames without the message. */
function framesOf(error: unknown): string[] | undefined {
  if (!(error instanceof Error) || !error.stack) return undefined;
  const frames = error.stack.split('\n').filter((line) => /^\s+at /.test(line));
  return frames.slice(0, FRAMES_MAX).map((line) => line.trim().slice(3));
}
