// Servers that lead elsewhere, by redirects and by what they say of their sign-in: nothing of this network is called.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openMcp, type OpenMcp } from './open-mcp.ts';

/** What only this network may reach. */
let inside: Server;
const heard: string[] = [];
let hostile: Server;
let mcp: OpenMcp;

beforeAll(async () => {
  inside = createServer((request, response) => {
    heard.push(`${request.method} ${request.url}`);
    response.end('{}');
  });
  await listen(inside);
  hostile = createServer((request, response) => {
    const [path = '', target = ''] = (request.url ?? '').slice(1).split('?to=');
    const to = decodeURIComponent(target);
    if (/^30\d$/.test(path)) response.writeHead(Number(path), { location: to }).end();
    else if (path === 'challenge')
      response.writeHead(401, { 'www-authenticate': `Bearer resource_metadata="${to}"` }).end();
    else if (path.startsWith('.well-known/oauth-protected-resource/metadata'))
      response.end(JSON.stringify({ resource: `${urlOf(hostile)}/metadata`, authorization_servers: [urlOf(inside)] }));
    else response.writeHead(path === 'metadata' ? 401 : 404).end();
  });
  await listen(hostile);
  const address = urlOf(hostile);
  const targets = { name: 'https://localhost/mcp', address: urlOf(inside), cloud: 'http://169.254.169.254/latest' };
  const ways = ['302', '303', '307', '308'].flatMap((status) =>
    Object.entries(targets).map(([name, to]) => [`by-${status}-${name}`, { url: leading(address, status, to) }]),
  );
  mcp = await openMcp({
    ...Object.fromEntries(ways),
    challenge: { url: leading(address, 'challenge', urlOf(inside)), auth: 'oauth' },
    metadata: { url: `${address}/metadata`, auth: 'oauth' },
  });
});
afterEach(() => expect(heard.splice(0)).toEqual([]));
afterAll(async () => {
  await mcp.close();
  for (const server of [inside, hostile]) server.closeAllConnections();
  await Promise.all([inside, hostile].map((server) => new Promise((resolve) => server.close(resolve))));
});

describe('a server of the operator', () => {
  it.each(['302', '303', '307', '308'])('is not followed by %s into this network', async (status) => {
    for (const target of ['name', 'address', 'cloud']) {
      const { names, problems } = await mcp.toolsOf(mcp.alice, `by-${status}-${target}`);
      expect({ target, names, problems }).toEqual({ target, names: [], problems: [expect.any(String)] });
    }
  });

  it.each(['challenge', 'metadata'])('names nothing of this network for its sign-in: %s', async (id) => {
    await expect(mcp.services.deps.mcp.signIn.start(mcp.alice.id, id)).rejects.toMatchObject({
      reason: { type: expect.stringMatching(/^(social_login|forbidden_base_url)$/) },
    });
  });
});

async function listen(server: Server): Promise<void> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
}

function urlOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function leading(address: string, path: string, to: string): string {
  return `${address}/${path}?to=${encodeURIComponent(to)}`;
}
