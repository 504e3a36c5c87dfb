/** The doors of the wires that speak by websocket: takes a socket in and hears it. */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type WebSocket } from 'ws';
import { chat, CHAT_PATH } from './bing-chat.ts';
import { createSocketLine } from './socket-line.ts';
import { createExchange, placeOf, type Stage } from './stage.ts';
import type { Exchange } from './wire.ts';

export type Sockets = {
  take(message: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Cuts whatever is still open. */
  close(): void;
};

export function createSockets(stage: Stage): Sockets {
  const server = new WebSocketServer({ noServer: true, perMessageDeflate: false });
  return {
    take(message, socket, head) {
      const { pathname, search: query } = new URL(message.url ?? '/', 'http://fake');
      const { prefix, path } = placeOf(pathname);
      if (path !== CHAT_PATH) return void socket.end('HTTP/1.1 404 Not Found\r\nConnection: close\r\n\r\n');
      server.handleUpgrade(message, socket, head, (client) => {
        chat(client, { query, hear: (body) => exchangeOf(client, socket, body) }).catch((error: unknown) => {
          console.error('fake provider:', error);
          client.terminate();
        });
      });

      /** What is said by a socket is one request, from the moment that it asks for something. */
      function exchangeOf(client: WebSocket, raw: Duplex, body: unknown): Exchange {
        const { headers, method = 'GET' } = message;
        const request = stage.recorder.add({ method, path: pathname, query, headers, body });
        stage.open.add(request);
        client.on('close', () => stage.open.delete(request));
        return createExchange(stage, request, path, prefix, createSocketLine(client, raw, request));
      }
    },
    close() {
      for (const client of server.clients) client.terminate();
    },
  };
}
