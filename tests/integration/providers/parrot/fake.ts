// The made-up provider's server.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

export interface Squawk {
  key: string | undefined;
  model: string;
  temperature?: number;
  heard: string;
  maxTokens?: number;
}

export interface FakeParrot {
  url: string;
  squawks: Squawk[];
  close(): Promise<void>;
}

/** Repeats what it hears; a request for a title gets one. */
export async function startFakeParrot(): Promise<FakeParrot> {
  const squawks: Squawk[] = [];
  const server = createServer(async (request, response) => {
    if (request.url === '/birds') return response.end(JSON.stringify(['grey', 'macaw']));
    const asked = (await json(request)) as Omit<Squawk, 'key'>;
    const key = request.headers['x-parrot-key'];
    if (key === 'wrong') return response.writeHead(401).end();
    squawks.push({ ...asked, key: String(key) });
    response.end(asked.heard.startsWith('Write a title') ? 'say A Talking Bird\nbye\n' : `say ${asked.heard}\nbye\n`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    squawks,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
