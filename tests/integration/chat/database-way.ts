// A way to a database that can be cut: what a server meets whose database is away for a while.
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';

/** Listens on a port for the server at the socket in `folder`. Once it is cut it counts who comes. */
export async function openWay(folder: string) {
  const passing = new Set<Socket>();
  let isCut = false;
  let refused = 0;
  const server = createServer((near) => {
    if (isCut) {
      refused += 1;
      near.on('error', () => {});
      return near.once('data', () => near.end(STARTING_UP));
    }
    const far = connect(join(folder, '.s.PGSQL.5432'));
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      passing.add(from);
      from.pipe(to);
      from.on('error', () => to.destroy());
      from.on('close', () => passing.delete(from) && to.destroy());
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    refused: () => refused,
    cut() {
      isCut = true;
      refused = 0;
      for (const socket of passing) socket.destroy();
    },
    reopen: () => void (isCut = false),
    close: () => server.close(),
  };
}

/**
 * What PostgreSQL says while it starts: an ErrorResponse of severity, code and message.
 * https://www.postgresql.org/docs/16/protocol-message-formats.html
 */
const STARTING_UP = errorResponse(['SFATAL', 'VFATAL', 'C57P03', 'Mthe database system is starting up']);

function errorResponse(fields: readonly string[]): Buffer {
  const body = Buffer.from(`${fields.map((field) => `${field}\0`).join('')}\0`);
  const head = Buffer.from('E\0\0\0\0');
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}
