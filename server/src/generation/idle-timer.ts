// Notices a provider that is silent, or that sends signs of life and no output.

export interface IdleLimits {
  /** How long a provider may be silent before its first delta. */
  firstTokenMs: number;
  /** How long it may be silent between two deltas. */
  idleMs: number;
  /** How long it may send bytes without output, as keep-alives; as long as it likes when undefined. */
  quietMs?: number;
}

export interface IdleTimer {
  /** Output arrived. */
  reset(): void;
  /** Bytes arrived that may be no output. */
  alive(): void;
  /** The model is asked: as at the beginning of the run. */
  restart(): void;
  end(): void;
}

/** After a pause of the whole process (sleep, overload), it first reads what has arrived meanwhile. */
const GRACE_MS = 100;

/** Calls `onTimeout` with the waited milliseconds when one of the limits is reached. */
export function createIdleTimer(
  onTimeout: (ms: number) => void,
  { firstTokenMs, idleMs, quietMs }: IdleLimits,
): IdleTimer {
  const silence = createTimeLimit(onTimeout);
  const quiet = createTimeLimit(onTimeout);
  let hasEnded = false;
  waitFor(firstTokenMs);
  return {
    reset: () => waitFor(idleMs),
    alive() {
      // A provider that was left may still send.
      if (!hasEnded) silence.renew();
    },
    restart: () => waitFor(firstTokenMs),
    end() {
      hasEnded = true;
      silence.end();
      quiet.end();
    },
  };

  function waitFor(ms: number): void {
    silence.begin(ms);
    if (quietMs !== undefined) quiet.begin(quietMs);
  }
}

/** One limit. Beginning it again with the same duration creates no new timer. */
function createTimeLimit(onTimeout: (ms: number) => void) {
  let timeoutMs = 0;
  let timer: NodeJS.Timeout | undefined;
  let isInGrace = false;
  return { begin, renew: () => begin(timeoutMs), end: () => clearTimeout(timer) };

  function begin(ms: number): void {
    if (timer && ms === timeoutMs && !isInGrace) {
      timer.refresh();
      return;
    }
    clearTimeout(timer);
    timeoutMs = ms;
    isInGrace = false;
    timer = setTimeout(onLate, ms);
  }

  function onLate(): void {
    isInGrace = true;
    timer = setTimeout(() => onTimeout(timeoutMs), GRACE_MS);
  }
}
