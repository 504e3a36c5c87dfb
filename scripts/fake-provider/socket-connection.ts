/** A `Connection` over a websocket: writes become messages, each ended by a separator. */
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import { createWaits, type Connection } from './connection.ts';
import { now, type RecordedRequest } from './record.ts';

export const SEPARATOR = '\u001e';

export function createSocketConnection(client: WebSocket, raw: Duplex, record: RecordedRequest): Connection {
  const isOpen = () => client.readyState === client.OPEN;
  const waits = createWaits(isOpen);
  let endedByUs = false;

  client.on('close', () => {
    record.finishedAt = now();
    record.closedEarly = !endedByUs;
    waits.end();
  });
  client.on('error', () => undefined);

  return {
    record,
    get open() {
      return isOpen();
    },
    // The handshake replaces the head.
    head: () => undefined,
    write(bytes) {
      if (!isOpen()) return Promise.resolve();
      // A slice of a message is sent as a fragment: it may end inside a character.
      const isWhole = typeof bytes === 'string' || bytes.at(-1) === SEPARATOR.charCodeAt(0);
      return waits.until((done) => client.send(bytes, { binary: false, fin: isWhole }, () => done()));
    },
    pause: waits.pause,
    hang: waits.hang,
    async cut(how) {
      endedByUs = true;
      // Sent data must leave before the connection breaks.
      await new Promise((resolve) => setTimeout(resolve, 20));
      if (how === 'reset' && raw instanceof Socket) raw.resetAndDestroy();
      else client.terminate();
    },
    end(bytes) {
      endedByUs = isOpen();
      if (bytes !== undefined && isOpen()) client.send(bytes + SEPARATOR);
      client.close();
    },
  };
}
