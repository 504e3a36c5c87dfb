/** What the fake provider heard, so that tests can say what the model saw and how the call ended. */
import type { IncomingHttpHeaders } from 'node:http';

export type RecordedRequest = {
  id: number;
  method: string;
  path: string;
  /** With its question mark; empty when there was none. */
  query: string;
  headers: IncomingHttpHeaders;
  /** The parsed JSON body, or the raw text when it was not JSON, or undefined when there was none. */
  body: unknown;
  /** The scenario that answered, as `name` or `name:arg`; `title` for titles; undefined where none has a part. */
  scenario: string | undefined;
  /** Milliseconds since the epoch, with fractions. */
  at: number;
  firstTextAt: number | undefined;
  /** UTF-16 units of text written so far: what was said is the first so many of `textOf`. */
  said: number;
  /** true: the client went before the end. false: ended, or cut, by the provider. undefined: still going. */
  closedEarly: boolean | undefined;
  finishedAt: number | undefined;
};

export type Recorder = {
  /** Oldest first; the same array for ever, emptied by `clear`. */
  requests: RecordedRequest[];
  add(heard: Pick<RecordedRequest, 'method' | 'path' | 'query' | 'headers' | 'body'>): RecordedRequest;
  clear(): void;
  /** The first request, past or coming, that fits. Throws after `ms` milliseconds. */
  waitFor(fits: (request: RecordedRequest) => boolean, ms: number): Promise<RecordedRequest>;
};

// A long chaos run must not fill the memory with its own evidence.
const KEPT = 5_000;

// A closing connection changes a record without a bell, so a waiter looks again by itself.
const LOOK_AGAIN_MS = 5;

export function createRecorder(): Recorder {
  const requests: RecordedRequest[] = [];
  let lastId = 0;
  return {
    requests,
    add(heard) {
      const record: RecordedRequest = { ...heard, id: ++lastId, at: now(), said: 0, ...unknownYet };
      requests.push(record);
      if (requests.length > KEPT) requests.splice(0, requests.length - KEPT);
      return record;
    },
    clear() {
      requests.length = 0;
    },
    async waitFor(fits, ms) {
      const deadline = now() + ms;
      for (;;) {
        const found = requests.find(fits);
        if (found) return found;
        if (now() > deadline) throw new Error(`no such request within ${ms} ms; heard: ${listed(requests)}`);
        await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
      }
    },
  };
}

const unknownYet = { scenario: undefined, firstTextAt: undefined, closedEarly: undefined, finishedAt: undefined };

function listed(requests: RecordedRequest[]): string {
  return requests.map((request) => `${request.method} ${request.path} (${request.scenario ?? '-'})`).join(', ') || '-';
}

/** The time in milliseconds since the epoch, finer than Date.now(). */
export function now(): number {
  return performance.timeOrigin + performance.now();
}
