/** What all stand-ins for other services share: an HTTP server of this machine, and answers in JSON. */
import { createServer, type IncomingMessage, type Server, type ServerOptions, type ServerResponse } from 'node:http';

export interface LocalServer {
  server: Server;
  /** Without a trailing slash. */
  url: string;
  /** `127.0.0.1:<port>`, for the operator's list of exempt hosts. */
  host: string;
  /** Cuts all open connections. */
  close(): Promise<void>;
}

interface ListenOptions extends ServerOptions {
  /** A free one where it is absent. */
  port?: number | undefined;
  host?: string | undefined;
}

/** Resolves when it listens. A request whose handling fails is cut. Throws when the port is taken. */
export async function listenLocally(
  handle: (request: IncomingMessage, response: ServerResponse) => unknown,
  { port = 0, host = '127.0.0.1', ...options }: ListenOptions = {},
): Promise<LocalServer> {
  const server = createServer(options, (request, response) => {
    void (async () => handle(request, response))().catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const address = server.address();
  const bound = `${host}:${typeof address === 'object' ? address?.port : port}`;
  return {
    server,
    url: `http://${bound}`,
    host: bound,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

export function sendJson(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}
