// Why a file is not taken. The browser finds the first ones before it uploads; the server sends REST clients a sentence
// and the app this, which the app shows in the language of its page.

export type FileProblem =
  | { type: 'too_many'; most: number }
  | { type: 'duplicate' }
  | { type: 'unknown_type'; name: string }
  | { type: 'unsupported_type'; mime: string }
  | { type: 'empty'; name: string }
  // a format that its program can save as another one
  | { type: 'save_as'; from: string; to: string }
  | { type: 'too_large'; megabytes: number }
  | { type: 'too_large_together'; megabytes: number }
  // what only the server knows
  | { type: 'not_here'; endpoint: string }
  | { type: 'image_unreadable' }
  | { type: 'image_too_large' }
  | { type: 'image_too_slow' }
  /** By the operator's scanner. */
  | { type: 'infected' }
  | { type: 'not_scanned' }
  | { type: 'no_room'; megabytes: number }
  | { type: 'disk_full' }
  | { type: 'too_often'; retryAfterSeconds: number }
  | { type: 'busy' };

/** The header of the server's answer that has the problem: JSON, percent-encoded. */
export const PROBLEM_HEADER = 'X-Upload-Problem';

const PASSING: ReadonlySet<FileProblem['type']> = new Set(['no_room', 'disk_full', 'too_often', 'busy', 'not_scanned']);

/** Whether the same file may be taken later. */
export function isTransient({ type }: FileProblem): boolean {
  return PASSING.has(type);
}
