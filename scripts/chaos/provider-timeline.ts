// Records how much the provider had sent at each time, to measure what a killed server lost.
import type { RecordedRequest } from '../fake-provider.ts';
import { now } from '../fake-provider/record.ts';

export interface ProviderTimeline {
  /** When the provider had sent more than `length` UTF-16 units of text in `request`; undefined if it never did. */
  passedAt(request: RecordedRequest, length: number): number | undefined;
  end(): void;
}

const LOOK_EVERY_MS = 5;

/** Watches the provider's records from now on. */
export function recordProviderTimeline(requests: readonly RecordedRequest[]): ProviderTimeline {
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
