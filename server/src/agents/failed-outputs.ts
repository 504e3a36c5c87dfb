// What the model reads about calls that were not carried out.

/** Begins the output of a call that failed; REST clients know it by these words. */
const FAILED = 'error processing tool: ';

export function failedOutput(sentence: string): string {
  return sentence.startsWith(FAILED) ? sentence : `${FAILED}${sentence}`;
}

export const STOPPED = 'The user stopped this.';
export const DENIED = 'The user did not allow this.';
export const ENDED = 'The answer ended before this was done.';
export const UNKNOWN = 'It is not known whether this was carried out.';
export const NOT_CARRIED_OUT = failedOutput('It was not carried out.');
