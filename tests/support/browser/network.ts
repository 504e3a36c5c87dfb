// Bad networks between a browser and the server.
import { connect, createServer, type Socket } from 'node:net';
import type { BrowserContext } from 'playwright-core';

/** A proxy that can drop the network: unlike the browser's offline mode, it also breaks open connections. */
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

/** The longest delay of a request and of an answer, in milliseconds; none without it. */
const LATE_MS = Number(process.env.TEST_LATE_MS ?? 0);

/** With TEST_LATE_MS things overtake each other: the network and the work of React are late by chance. */
export async function delayNetwork(context: BrowserContext): Promise<void> {
  if (LATE_MS > 0) await context.addInitScript(delay, LATE_MS);
}

/** Runs in the page. The messages of one socket keep their order, as those of TCP do. */
function delay(longest: number): void {
  const wait = window.setTimeout.bind(window);
  const pause = (share: number) =>
    new Promise<void>((resolve) => wait(resolve, Math.random() < share ? Math.random() * longest : 0));

  const request = window.fetch.bind(window);
  window.fetch = async (input, init) => {
    await pause(0.7);
    init?.signal?.throwIfAborted();
    const response = await request(input, init);
    await pause(0.7);
    init?.signal?.throwIfAborted();
    return response;
  };

  // React asks for its next piece of work by a message of null: what it shows, and what it does after showing it.
  const post = MessagePort.prototype.postMessage;
  MessagePort.prototype.postMessage = function (this: MessagePort, ...message: [unknown]) {
    if (message[0] !== null) return post.apply(this, message);
    void pause(0.2).then(() => post.apply(this, message));
  };

  window.WebSocket = class extends WebSocket {
    #sent = Promise.resolve();
    #arrived = Promise.resolve();
    #due = new WeakMap<Event, Promise<void>>();

    override send(data: Parameters<WebSocket['send']>[0]): void {
      this.#sent = this.#sent
        .then(() => pause(0.5))
        .then(() => {
          if (this.readyState === WebSocket.OPEN) super.send(data);
        });
    }

    override addEventListener(type: string, listener: EventListener, options?: AddEventListenerOptions): void {
      if (type !== 'message') return super.addEventListener(type, listener, options);
      const late = (event: Event) => {
        const due = this.#due.get(event) ?? (this.#arrived = this.#arrived.then(() => pause(0.1)));
        this.#due.set(event, due);
        void due.then(() => listener.call(this, event));
      };
      super.addEventListener(type, late, options);
    }
  };
}
