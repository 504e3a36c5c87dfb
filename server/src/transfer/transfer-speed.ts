/** Minimum speed, in bytes per second of waiting for the client. */
const BYTES_PER_SECOND_MIN = 16 * 1024;
/** Waiting time before the first check, in milliseconds, so that a slow start is tolerated. */
const GRACE_MS = 30_000;

export interface TransferSpeed {
  /** Counts received bytes and the time waited for them; false when the client is too slow. */
  isEnough(bytes: number, waitedMs: number): boolean;
}

/**
 * Measures a client's recent upload speed: a slow client must not block one of the few import slots. Excludes time in
 * which the server itself was busy.
 */
export function createTransferSpeed(): TransferSpeed {
  let waited = 0;
  let arrived = 0;
  return {
    isEnough(bytes, waitedMs) {
      waited += waitedMs;
      arrived += bytes;
      if (waited < GRACE_MS) return true;
      const isFast = (arrived * 1000) / waited >= BYTES_PER_SECOND_MIN;
      // Checks each period by itself, so an early fast one does not excuse slow hours.
      waited = 0;
      arrived = 0;
      return isFast;
    },
  };
}
