/** Accepts websockets for the protocols that use them. */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type WebSocket } from 'ws';
import { chat, CHAT_PATH } from './protocols/bing-chat.ts';
import { createSocketConnection } from './socket-connection.ts';
import { createCall, scenarioPath, type ServerState } from './server.ts';
import type { FakeCall } from './protocol.ts';

export type Sockets = {
  take(message: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Cuts all open connections. */
  close(): void;
};

export function createSockets(state: ServerState): Sockets {
  const server = new WebSocketServer({ noServer: true, perMessageDeflate: false });
  return {
    take(message, socket, head) {
      const { pathname, search: query } = new URL(message.url ?? '/', 'http://fake');
      const { prefix, path } = scenarioPath(pathname);
      if (path !== CHAT_PATH) return void socket.end('HTTP/1.1 404 Not Found\r\nConnection: close\r\n\r\n');
      server.handleUpgrade(message, socket, head, (client) => {
        chat(client, { query, hear: (body) => exchangeOf(client, socket, body) }).catch((error: unknown) => {
          console.error('fake provider:', error);
          client.terminate();
        });
      });

      /** A socket counts as one request from the moment it asks a question. */
      function exchangeOf(client: WebSocket, raw: Duplex, body: unknown): FakeCall {
        const { headers, method = 'GET' } = message;
        const request = state.recorder.add({ method, path: pathname, query, headers, body });
        state.open.add(request);
        client.on('close', () => state.open.delete(request));
        return createCall(state, request, path, prefix, createSocketConnection(client, raw, request));
      }
    },
    close() {
      for (const client of server.clients) client.terminate();
    },
  };
}
