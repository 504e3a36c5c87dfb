/**
 * One client's connection as the provider sees it: writes with backpressure, waits that end when the client
 * disconnects, cuts, and the record of how it ended.
 */
import type { ServerResponse } from 'node:http';
import type { RecordedRequest } from './record.ts';
import { now } from './record.ts';

export type Connection = {
  readonly open: boolean;
  record: RecordedRequest;
  head(status: number, headers: Record<string, string>): void;
  /** Resolves when there is room for more: at once, unless the client is slow. */
  write(bytes: string | Uint8Array): Promise<void>;
  /** Waits, at most until the client disconnects. */
  pause(ms: number): Promise<void>;
  /** Waits until the client disconnects. */
  hang(): Promise<void>;
  /** Breaks the socket without ending the response, after all written data has been sent; `reset` sends a RST. */
  cut(how: 'cut' | 'reset'): Promise<void>;
  end(bytes?: string): void;
};

/** Waits that end when the client disconnects, of which `end` tells; there is none once it has. */
export function createWaits(isOpen: () => boolean) {
  let wake: (() => void) | undefined;
  return {
    end: () => wake?.(),
    until,
    hang: () => until(() => undefined),
    async pause(ms: number): Promise<void> {
      let timer: NodeJS.Timeout | undefined;
      await until((done) => (timer = setTimeout(done, ms)));
      clearTimeout(timer);
    },
  };

  function until(start: (done: () => void) => void): Promise<void> {
    if (!isOpen()) return Promise.resolve();
    return new Promise((resolve) => {
      wake = resolve;
      start(resolve);
    });
  }
}

export function createConnection(response: ServerResponse, record: RecordedRequest): Connection {
  const waits = createWaits(() => !response.destroyed);
  let cutByUs = false;

  response.on('close', () => {
    record.finishedAt = now();
    record.closedEarly = !response.writableFinished && !cutByUs;
    waits.end();
  });
  // A write to a closed socket means that the client disconnected, which 'close' above records.
  response.on('error', () => undefined);

  return {
    record,
    get open() {
      return !response.destroyed;
    },
    head(status, headers) {
      if (!response.headersSent && !response.destroyed) response.writeHead(status, headers);
    },
    write(bytes) {
      if (response.destroyed || response.write(bytes)) return Promise.resolve();
      return waits.until((done) => response.once('drain', done));
    },
    pause: waits.pause,
    hang: waits.hang,
    async cut(how) {
      cutByUs = true;
      await flushed(response);
      if (how === 'reset') response.socket?.resetAndDestroy();
      else response.socket?.destroy();
    },
    end(bytes) {
      if (!response.destroyed) response.end(bytes);
    },
  };
}

// Destroying a socket discards its buffer; the cut must come after the last word, not replace it.
function flushed(response: ServerResponse): Promise<void> {
  if (!response.headersSent || response.destroyed) return Promise.resolve();
  return new Promise((resolve) => response.write('', () => setTimeout(resolve, 20)));
}
