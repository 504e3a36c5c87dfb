// A web to search, whose pages say what a test wants.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface FakeWeb {
  url: string;
  /** What was searched for. */
  searches: string[];
  /** The paths that were opened. */
  opened: string[];
  /** What each result and each page says. */
  says: string;
  close(): Promise<void>;
}

/** A SearXNG, and the pages that it finds. */
export async function startWeb(): Promise<FakeWeb> {
  const web: FakeWeb = { url: '', searches: [], opened: [], says: 'There are 42 of them.', close };
  const server: Server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://web.example');
    if (pathname === '/search') {
      const query = searchParams.get('q') ?? '';
      web.searches.push(query);
      const n = web.searches.length;
      const results = [1, 2].map((k) => ({ title: `${query} ${k}`, url: `${web.url}/${n}/${k}`, content: web.says }));
      return response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ results }));
    }
    web.opened.push(request.url ?? '');
    return response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' }).end(web.says);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  web.url = `http://127.0.0.1:${port}`;
  return web;

  async function close(): Promise<void> {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}
