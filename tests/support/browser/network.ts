// A proxy between a browser and the server that can drop the network: unlike the browser's offline mode, it also breaks
// open connections.
import { connect, createServer, type Socket } from 'node:net';

export interface Network {
  /** The address for a browser behind this proxy. */
  url: string;
  /** Breaks every connection and accepts no new one. */
  pull(): void;
  plug(): void;
  close(): Promise<void>;
}

export async function createNetwork(to: string): Promise<Network> {
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
