// A cable between a browser and the server, which can be pulled: unlike a browser that is told to be offline, it also
// breaks the connections that are open.
import { connect, createServer, type Socket } from 'node:net';

export interface Cable {
  /** What a browser at this end of the cable opens. */
  url: string;
  /** Breaks every connection and lets no new one through. */
  pull(): void;
  plug(): void;
  close(): Promise<void>;
}

export async function layCable(to: string): Promise<Cable> {
  const { hostname, port } = new URL(to);
  const open = new Set<Socket>();
  let isPlugged = true;

  const server = createServer((near) => {
    if (!isPlugged) return near.destroy();
    const far = connect({ host: hostname, port: Number(port) });
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(one);
      one.pipe(other);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        open.delete(one);
        other.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  const address = server.address();

  const cut = () => open.forEach((socket) => socket.resetAndDestroy());
  return {
    url: `http://localhost:${typeof address === 'object' ? address?.port : ''}`,
    pull() {
      isPlugged = false;
      cut();
    },
    plug: () => void (isPlugged = true),
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      cut();
      await closed;
    },
  };
}
