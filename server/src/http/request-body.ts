// Body size limits. A body over its limit is never kept, and one that is far over it is refused unread.
import type { Authenticator } from '../platform/requests/auth-session.ts';
import { readRefreshToken } from '../platform/requests/cookies.ts';
import { ownTurn } from '../platform/event-loop.ts';
import { createKeyedMutex, createFairQueue } from '../platform/semaphore.ts';
import { accessTokenIn } from '../platform/requests/request-info.ts';

/** For calls without a session and requests without a credential, in bytes: a form and no more. */
const VISITORS_MAX = 64 * 1024;
/** The default, in bytes. */
const ORDINARY_MAX = 1024 * 1024;
/** In bytes: the longest question (`TEXT_MAX`) at three bytes a character, and its settings. */
const LONG_TEXT_MAX = 8 * 1024 * 1024;
/** In bytes: the longest OpenAPI document (`SPEC_BYTES_MAX`) in JSON, where each quotation mark has two. A file of prompts may be as long. */
const DOCUMENT_MAX = 21 * 1024 * 1024;
/** For the REST API, in bytes; more than the longest question that fits a context window. */
const REST_MAX = 3 * 1024 * 1024;

/**
 * A body over its limit is dropped as it arrives, up to this many bytes: most clients read no answer before they have
 * sent everything, so closing earlier would be a reset connection for them and not a refusal.
 */
const DROPPED_MAX = 16 * 1024 * 1024;

/** Long bodies that are handled at a time. */
const longBodies = createFairQueue(3);
const ownTurnOf = createKeyedMutex();

/** Characters of a body that is parsed in a turn of its own: several milliseconds of work, checks included. */
const LONG_BODY_CHARS = 100_000;

const LONG_TEXTS: ReadonlySet<string> = new Set([
  'messages.ask',
  'messages.edit',
  'messages.save',
  'messages.budget',
  'drafts.save',
  'endpoints.tokenCount',
]);

const DOCUMENTS: ReadonlySet<string> = new Set([
  'actions.parse',
  'actions.save',
  'assistants.saveAction',
  'prompts.import',
  'skills.importZip',
  'skills.putFile',
]);

/** The limit for a batch of calls, in bytes: that of the largest. */
export function bodyMaxOfCalls(procedures: readonly string[], headers: Headers): number {
  return hasCredential(headers) ? Math.max(...procedures.map(bodyMaxOfCall)) : VISITORS_MAX;
}

/** The limit for a REST route, in bytes. */
export function bodyMaxOfRoute(
  { isPublic, takesDocument = false }: { isPublic: boolean; takesDocument?: boolean },
  headers: Headers,
): number {
  if (isPublic || !hasCredential(headers)) return VISITORS_MAX;
  return takesDocument ? DOCUMENT_MAX : REST_MAX;
}

/** The error message for a body over the limit. */
export function tooLarge(max: number): string {
  const [size, unit] = max < 1024 * 1024 ? [max / 1024, 'kB'] : [max / 1024 / 1024, 'MB'];
  return `The request is larger than ${size} ${unit}.`;
}

/** Finds out whose a body is. */
export type BodyAuth = Pick<Authenticator, 'authenticate' | 'authenticateLimited' | 'bannedUntil'>;

/** Why a body was not read. After `too large` some of it may still arrive, after `not signed in` all has arrived. */
export type Unread = 'too large' | 'not signed in';

/**
 * The body as text, by default of UTF-8. None of a body over `max` bytes is kept. Anybody can send a credential, so
 * more than a visitor may send is kept only from who is signed in. From others it is dropped as it arrives, up to `max`:
 * who sends a long question when their session has just expired gets the reason, rather than being cut off. Without `auth`
 * the sender is known already.
 */
export async function readText(
  { body, headers }: Pick<Request, 'body' | 'headers'>,
  max: number,
  auth: BodyAuth | null,
  decoder = new TextDecoder(),
): Promise<{ text: string } | Unread> {
  const declared = Number(headers.get('content-length'));
  const droppedMax = Math.max(max, DROPPED_MAX);
  if (declared > droppedMax) return 'too large';
  const reader = body?.getReader();
  let text = '';
  let isKept: boolean | null = null;
  for (let size = 0; ;) {
    const { value } = (await reader?.read()) ?? {};
    if (!value && Math.max(size, declared) > max) return 'too large';
    if (!value) return isKept === false ? 'not signed in' : { text: text + decoder.decode() };
    size += value.byteLength;
    if (size > droppedMax) return 'too large';
    if (Math.max(size, declared) > max) {
      text = '';
      continue;
    }
    if (size > VISITORS_MAX && isKept === null) {
      isKept = auth === null || (await isKnown(auth, headers));
      if (!isKept) text = '';
    }
    if (isKept !== false) text += decoder.decode(value, { stream: true });
  }
}

/** Reads what a sender who is refused still sends, and keeps none of it: else the answer would be a reset connection. */
export async function dropBody(request: Pick<Request, 'body' | 'headers'>): Promise<void> {
  await readText(request, 0, null).catch(() => undefined);
}

/** Those who are banned or lack a second factor count: what they call refuses them with the reason. */
async function isKnown(auth: BodyAuth, headers: Headers): Promise<boolean> {
  const token = accessTokenIn(headers.get('authorization'));
  if (token === null) return false;
  return (
    (await auth.authenticate(token)) !== null ||
    (await auth.authenticateLimited(token)) !== null ||
    (await auth.bannedUntil(token)) !== null
  );
}

/**
 * Handles a request whose body may be as long as an OpenAPI document. Such a body stays in memory until its answer, as a
 * whole and in pieces, so few are read at a time, and one of each person. The others wait unread.
 */
export async function inTurnWhenLong<T>(
  { body, headers }: Request,
  max: number,
  auth: BodyAuth,
  work: () => Promise<T>,
): Promise<T> {
  const declared = headers.get('content-length');
  if (max < DOCUMENT_MAX || !body || (declared !== null && Number(declared) <= ORDINARY_MAX)) return work();
  const token = accessTokenIn(headers.get('authorization'));
  const sender = token === null ? null : await senderOf(auth, token);
  // What others send is dropped as it arrives.
  if (sender === null) return work();
  const release = await ownTurnOf(sender);
  try {
    return await longBodies(sender, work);
  } finally {
    release();
  }
}

/** Whose turn it is; null for who is not signed in. All who are banned, whose bodies are kept too, are one. */
async function senderOf(auth: BodyAuth, token: string): Promise<string | null> {
  const session = (await auth.authenticate(token)) ?? (await auth.authenticateLimited(token));
  if (session) return session.userId;
  return (await auth.bannedUntil(token)) === null ? null : 'banned';
}

/**
 * Waits for a turn of the event loop before a long body is parsed: several that arrive together would hold it for the
 * sum of their times.
 */
export async function turnToParse(text: string): Promise<void> {
  if (text.length > LONG_BODY_CHARS) await ownTurn();
}

/** Expired and forged ones too; `readText` distinguishes them. */
function hasCredential(headers: Headers): boolean {
  const given = headers.get('authorization') || headers.get('x-api-key');
  return Boolean(given) || readRefreshToken(headers) !== undefined;
}

function bodyMaxOfCall(procedure: string): number {
  if (DOCUMENTS.has(procedure)) return DOCUMENT_MAX;
  if (LONG_TEXTS.has(procedure)) return LONG_TEXT_MAX;
  return procedure.startsWith('auth.') ? VISITORS_MAX : ORDINARY_MAX;
}
