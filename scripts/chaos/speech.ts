// Who said how much when: what a killed server may have lost is measured against this.
import type { RecordedRequest } from '../fake-provider.ts';

export interface Speech {
  /** When the provider had said more than `length` UTF-16 units of text in `request`; undefined if it never had. */
  passedAt(request: RecordedRequest, length: number): number | undefined;
  end(): void;
}

const LOOK_EVERY_MS = 5;

/** Watches the provider's records from now on. */
export function followSpeech(requests: readonly RecordedRequest[]): Speech {
  const tracks = new Map<RecordedRequest, { at: number; said: number }[]>();
  const timer = setInterval(look, LOOK_EVERY_MS);
  return { passedAt, end: () => clearInterval(timer) };

  function look(): void {
    const at = now();
    for (const request of requests) {
      if (request.finishedAt !== undefined && tracks.get(request)?.at(-1)?.said === request.said) continue;
      const track = tracks.get(request) ?? [];
      tracks.set(request, track);
      if (track.at(-1)?.said !== request.said) track.push({ at, said: request.said });
    }
  }

  function passedAt(request: RecordedRequest, length: number): number | undefined {
    return tracks.get(request)?.find(({ said }) => said > length)?.at;
  }
}

/** Milliseconds since the epoch, as fine as the provider's records. */
export function now(): number {
  return performance.timeOrigin + performance.now();
}
