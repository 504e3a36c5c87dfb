// Body size limits. A body that declares more is refused unread, any other as soon as it exceeds the limit.
import { readRefreshToken } from '../auth/session/cookies.ts';
import { ownTurn } from '../platform/event-loop.ts';

/** For calls without a session and requests without a credential, in bytes: a form and no more. */
const VISITORS_MAX = 64 * 1024;
/** The default, in bytes. */
const ORDINARY_MAX = 1024 * 1024;
/** In bytes: the longest question (`TEXT_MAX`) at three bytes a character, and its settings. */
const LONG_TEXT_MAX = 8 * 1024 * 1024;
/** For the REST API, in bytes; more than the longest question that fits a context window. */
const REST_MAX = 3 * 1024 * 1024;

/** Characters of a body that is parsed in a turn of its own: several milliseconds of work, checks included. */
const LONG_BODY = 100_000;

const LONG_TEXTS: ReadonlySet<string> = new Set([
  'messages.ask',
  'messages.edit',
  'messages.save',
  'messages.budget',
  'drafts.save',
  'endpoints.tokenCount',
]);

/** The limit for a batch of calls, in bytes: that of the largest. */
export function bodyMaxOfCalls(procedures: readonly string[], headers: Headers): number {
  return hasCredential(headers) ? Math.max(...procedures.map(bodyMaxOfCall)) : VISITORS_MAX;
}

/** The limit for a REST route, in bytes. */
export function bodyMaxOfRoute({ isPublic }: { isPublic: boolean }, headers: Headers): number {
  return isPublic || !hasCredential(headers) ? VISITORS_MAX : REST_MAX;
}

/** The error message for a body over the limit. */
export function tooLarge(max: number): string {
  const [size, unit] = max < 1024 * 1024 ? [max / 1024, 'kB'] : [max / 1024 / 1024, 'MB'];
  return `The request is larger than ${size} ${unit}.`;
}

/** The body as text, by default of UTF-8; null above `max` bytes, with the rest left unread. */
export async function readText(
  { body, headers }: Request,
  max: number,
  decoder = new TextDecoder(),
): Promise<string | null> {
  if (Number(headers.get('content-length')) > max) return null;
  const reader = body?.getReader();
  let text = '';
  for (let size = 0; ;) {
    const { value } = (await reader?.read()) ?? {};
    if (!value) return text + decoder.decode();
    size += value.byteLength;
    if (size > max) return null;
    text += decoder.decode(value, { stream: true });
  }
}

/**
 * Waits for a turn of the event loop before a long body is parsed: several that arrive together would hold it for the
 * sum of their times.
 */
export async function turnToParse(text: string): Promise<void> {
  if (text.length > LONG_BODY) await ownTurn();
}

/** Expired ones too: their clients get that answer when the body has arrived, and send it again. */
function hasCredential(headers: Headers): boolean {
  return (headers.get('authorization') ?? '') !== '' || readRefreshToken(headers) !== undefined;
}

function bodyMaxOfCall(procedure: string): number {
  if (LONG_TEXTS.has(procedure)) return LONG_TEXT_MAX;
  return procedure.startsWith('auth.') ? VISITORS_MAX : ORDINARY_MAX;
}
