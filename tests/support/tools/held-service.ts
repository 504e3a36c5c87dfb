// A service that answers when it is let: the API of an action, its token endpoint, or what a plugin asks.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface HeldService {
  url: string;
  host: string;
  /** An OpenAPI document with one operation, which reads `/held`. */
  document: object;
  /** From now on requests of paths that begin so wait; others are answered at once. */
  hold(path: string): void;
  /** When one of them has come. */
  begun(): Promise<void>;
  release(): void;
  close(): Promise<void>;
}

export async function startHeldService(): Promise<HeldService> {
  let held = createHold('/');
  const http = createServer((request, response) => {
    void (async () => {
      if (request.url?.startsWith(held.path)) await held.wait();
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ access_token: 'a-token', expires_in: 3600, answer: 'let go' }));
    })();
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(http.address() as AddressInfo).port}`;
  const get = { operationId: 'readHeld', summary: 'Reads it', responses: { 200: { description: 'It' } } };
  return {
    url: `http://${host}`,
    host,
    document: {
      openapi: '3.0.0',
      info: { title: 'Held', version: '1' },
      servers: [{ url: `http://${host}` }],
      paths: { '/held': { get } },
    },
    hold: (path) => void (held = createHold(path)),
    begun: () => held.begun,
    release: () => held.release(),
    async close() {
      held.release();
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}

function createHold(path: string) {
  let [begin, release] = [(): void => undefined, (): void => undefined];
  const begun = new Promise<void>((resolve) => (begin = resolve));
  const released = new Promise<void>((resolve) => (release = resolve));
  return {
    path,
    begun,
    release,
    async wait() {
      begin();
      await released;
    },
  };
}
