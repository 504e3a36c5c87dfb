// The response to an upload that fails.
import { PROBLEM_HEADER, type FileProblem } from '@parley/schema/files/file-problem';
import { KeyRefused } from '../../api-keys/principal.ts';
import { isStorageFull } from '../../platform/database-fault.ts';
import { Refusal } from '../../platform/errors.ts';
import { reasonText } from '../../platform/reasons.ts';
import { NoSpace } from '../quota.ts';
import { FileRefusal } from './file-refusal.ts';

const BUSY_SECONDS = 5;

/** What is left of the body stays unread, so the connection cannot be reused. */
export function respondBusy(): Response {
  const headers = { Connection: 'close', 'Retry-After': String(BUSY_SECONDS), ...problemHeader({ type: 'busy' }) };
  const message = 'Too many uploads at once. Please try again in a moment.';
  return Response.json({ message }, { status: 429, headers });
}

/** Existing clients expect 500 for whatever is wrong with the file, and show the sentence. */
export function respondFailed(error: unknown): Response {
  const headers: Record<string, string> = { Connection: 'close' };
  const tell = (status: number, message: string, problem?: FileProblem) =>
    Response.json({ message }, { status, headers: { ...headers, ...(problem && problemHeader(problem)) } });
  if (error instanceof KeyRefused) return tell(error.status, error.message);
  if (error instanceof NoSpace) return tell(507, error.text, error.problem);
  if (isStorageFull(error)) return tell(507, reasonText({ type: 'storage_full' }), { type: 'disk_full' });
  if (!(error instanceof Refusal)) return tell(500, 'An error occurred while uploading the file.');
  const { reason } = error;
  const message = reasonText(reason);
  switch (reason.type) {
    case 'too_many_attempts': {
      const { retryAfterSeconds } = reason;
      headers['Retry-After'] = String(retryAfterSeconds);
      return tell(429, message, { type: 'too_often', retryAfterSeconds });
    }
    case 'not_found':
      return tell(404, message);
    case 'banned':
    case 'factor_missing':
    case 'non_browser':
      return tell(403, message);
    default:
      return tell(500, message, error instanceof FileRefusal ? error.problem : undefined);
  }
}

/** What is wrong, for the app, in a header: existing clients know bodies that have a `message` only. */
function problemHeader(problem: FileProblem): Record<string, string> {
  return { [PROBLEM_HEADER]: encodeURIComponent(JSON.stringify(problem)) };
}
