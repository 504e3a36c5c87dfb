// The person or script that runs a command beside the server, and what it is told while it waits.

export interface Operator {
  /**
   * Tells what is being done and how far it is; null where this takes only a moment. `waitsFor` is named when nothing
   * has moved for a while.
   */
  show(doing: string | null, waitsFor: string): void;
  /** Aborts when the command is told to stop. */
  signal: AbortSignal;
}

/** For callers that show no progress and are never told to stop. */
export const NO_OPERATOR: Operator = { show: () => undefined, signal: new AbortController().signal };

/** How long nothing moves before the operator is told what is waited for. Less than a refused database takes. */
const WAIT_TOLD_MS = 3_000;
/** A log gets no line about what takes less. */
const LONG_MS = 1_000;
/** A terminal's line is rewritten at most this often. */
const REWRITE_MS = 100;
const CLEAR_LINE = '\r\u001b[2K';

interface Output {
  isTTY?: boolean | undefined;
  columns?: number | undefined;
  write(text: string): unknown;
}

/**
 * Rewrites one line of a terminal; in a log, each `tick` writes a line. The caller ticks once a second. `now` is in
 * milliseconds.
 */
export function createProgress(output: Output, now: () => number = () => performance.now()) {
  const began = now();
  let step: { doing: string | null; waitsFor: string; since: number } = { doing: null, waitsFor: '', since: began };
  let isWritten = false;
  let writtenAt = -Infinity;
  const secondsSince = (at: number) => Math.floor((now() - at) / 1000);

  function describe(): string | null {
    const { doing, waitsFor, since } = step;
    if (now() - since >= WAIT_TOLD_MS && waitsFor !== '') {
      const what = doing === null ? '' : `: ${doing}`;
      return `Waiting for ${waitsFor} (${secondsSince(since)} s)${what}`;
    }
    return doing === null ? null : `${doing} (${secondsSince(began)} s)`;
  }

  function write(): void {
    const line = describe();
    if (line === null) return clear();
    if (!output.isTTY) return void output.write(`${line}\n`);
    output.write(CLEAR_LINE + line.slice(0, Math.max(1, (output.columns ?? 80) - 1)));
    isWritten = true;
    writtenAt = now();
  }

  function clear(): void {
    if (isWritten) output.write(CLEAR_LINE);
    isWritten = false;
  }

  return {
    show(doing: string | null, waitsFor: string) {
      if (step.doing === doing && step.waitsFor === waitsFor) return;
      step = { doing, waitsFor, since: now() };
      if (output.isTTY && now() - writtenAt >= REWRITE_MS) write();
    },
    tick() {
      if (output.isTTY || now() - began >= LONG_MS) write();
    },
    /** Leaves the terminal's line empty for what comes next. */
    clear,
  };
}

/** `12 MB`, for progress. */
export function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(bytes < 10_000_000 ? 1 : 0)} MB`;
}
