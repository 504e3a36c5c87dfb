/** Records the fake provider's requests, so that tests can check what the model saw and how the call ended. */
import type { IncomingHttpHeaders } from 'node:http';
import type { ToolsInRequest } from './tools/tools-in-request.ts';

/** Tokens of a call in the provider's own book, the same for all protocols. */
export type BookEntry = {
  /** With those that were read from the cache and written to it. */
  input: number;
  cachedRead: number;
  cachedWrite: number;
  /** With the reasoning. Zero where only the prompt was told. */
  output: number;
  reasoning: number;
};

export type RecordedRequest = {
  id: number;
  method: string;
  path: string;
  /** With its question mark; empty when there was none. */
  query: string;
  headers: IncomingHttpHeaders;
  /** The parsed JSON body, or the raw text when it was not JSON, or undefined when there was none. */
  body: unknown;
  /** The scenario that answered, as `name` or `name:arg`; `title` for titles; undefined when none applies. */
  scenario: string | undefined;
  /** What it contains about tools; undefined for calls and protocols without them. */
  tools: ToolsInRequest | undefined;
  /** Milliseconds since the epoch, with fractions. */
  at: number;
  firstTextAt: number | undefined;
  /** UTF-16 units of text written so far: the sent text is this prefix of `textOf`. */
  said: number;
  /** What the client was told that the call used, as far as it was told; undefined where nothing was. */
  used: BookEntry | undefined;
  /** true: the client disconnected before the end. false: the provider ended or cut it. undefined: still open. */
  closedEarly: boolean | undefined;
  finishedAt: number | undefined;
};

export type Recorder = {
  /** Oldest first; always the same array, emptied by `clear`. */
  requests: RecordedRequest[];
  add(heard: Pick<RecordedRequest, 'method' | 'path' | 'query' | 'headers' | 'body'>): RecordedRequest;
  clear(): void;
  /** The first request, past or future, that matches. Throws after `ms` milliseconds. */
  waitFor(fits: (request: RecordedRequest) => boolean, ms?: number): Promise<RecordedRequest>;
};

// Bounds the memory of a long chaos run.
const KEPT = 5_000;

// A closing connection changes a record without notification, so waiters poll.
const LOOK_AGAIN_MS = 5;
/** A test that waits longer is stuck, however busy the machine. */
const PATIENCE_MS = 60_000;

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
    async waitFor(fits, ms = PATIENCE_MS) {
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

const unknownYet = {
  scenario: undefined,
  tools: undefined,
  firstTextAt: undefined,
  used: undefined,
  closedEarly: undefined,
  finishedAt: undefined,
};

/** Writes into the book what a client is told; what is not named is none. */
export function tell(record: RecordedRequest, used: Partial<BookEntry>): void {
  record.used = { input: 0, cachedRead: 0, cachedWrite: 0, output: 0, reasoning: 0, ...used };
}

function listed(requests: RecordedRequest[]): string {
  return requests.map((request) => `${request.method} ${request.path} (${request.scenario ?? '-'})`).join(', ') || '-';
}

/** The time in milliseconds since the epoch, finer than Date.now(). */
export function now(): number {
  return performance.timeOrigin + performance.now();
}
