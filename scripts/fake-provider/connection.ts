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

export function createConnection(response: ServerResponse, record: RecordedRequest): Connection {
  let wake: (() => void) | undefined;
  let cutByUs = false;

  response.on('close', () => {
    record.finishedAt = now();
    record.closedEarly = !response.writableFinished && !cutByUs;
    wake?.();
  });
  // A write to a closed socket means that the client disconnected, which 'close' above records.
  response.on('error', () => undefined);

  function sleep(start: (done: () => void) => void): Promise<void> {
    if (response.destroyed) return Promise.resolve();
    return new Promise((resolve) => {
      wake = resolve;
      start(resolve);
    });
  }

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
      return sleep((done) => response.once('drain', done));
    },
    async pause(ms) {
      let timer: NodeJS.Timeout | undefined;
      await sleep((done) => (timer = setTimeout(done, ms)));
      clearTimeout(timer);
    },
    hang: () => sleep(() => undefined),
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
