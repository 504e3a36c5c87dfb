// A misbehaving Bing: it creates conversations as usual, and the test controls the socket.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocketServer, type WebSocket } from 'ws';

export const SEPARATOR = '\u001e';

export interface RawBing {
  url: string;
  close(): Promise<void>;
}

interface Behaviour {
  /** The response header with the conversation's signature; null leaves it out. */
  signature?: string | null;
  /** The status with which the server rejects the socket. */
  refuseWith?: number;
  /** Receives each record, parsed. */
  hear?(record: { type?: number; protocol?: string }, say: (value: object) => void, socket: WebSocket): void;
}

export async function startRawBing({ signature = 's', refuseWith, hear }: Behaviour): Promise<RawBing> {
  const created = JSON.stringify({ conversationId: 'c', clientId: 'p', result: { value: 'Success' } });
  const http: Server = createServer((_, response) => {
    if (signature !== null) response.setHeader('x-sydney-encryptedconversationsignature', signature);
    response.end(created);
  });
  const sockets = new WebSocketServer({ noServer: true });
  http.on('upgrade', (request, raw, head) => {
    if (refuseWith !== undefined) return raw.end(`HTTP/1.1 ${refuseWith} No\r\nConnection: close\r\n\r\n`);
    sockets.handleUpgrade(request, raw, head, (socket) => {
      const say = (value: object) => socket.send(JSON.stringify(value) + SEPARATOR);
      socket.on('message', (data: Buffer) => {
        for (const record of data.toString().split(SEPARATOR).slice(0, -1))
          hear?.(JSON.parse(record) as { type?: number }, say, socket);
      });
    });
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    async close() {
      for (const socket of sockets.clients) socket.terminate();
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}
