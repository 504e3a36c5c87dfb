// The operator's proxy: what is called through it, and what is not.
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { startFakeProvider, type FakeProvider } from '@parley/scripts/fake-provider';
import { requestSite } from '@parley/server/auth/oauth/oauth-http';
import { loadConfig } from '@parley/server/load-config';
import { createServerFetch } from '@parley/server/mcp/fetch';
import { createEgress } from '@parley/server/platform/egress';
import { installOutboundProxy } from '@parley/server/platform/outbound-proxy';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { hear, openEndpoints } from '../../support/endpoints.ts';
import { createFolder } from '../../support/folders.ts';

/** A name that only the proxy can find. */
const FAR = 'http://bing.invalid:1234';

let provider: FakeProvider;
let proxy: Server;
let PROXY: string;
let end: () => Promise<void>;
/** What the proxy was asked to connect to. */
const tunnels: string[] = [];

beforeAll(async () => {
  provider = await startFakeProvider();
  proxy = createServer();
  proxy.on('connect', ({ url, headers }, socket) => {
    if (headers['proxy-authorization'] !== `Basic ${btoa('us:pass')}`) return socket.end('HTTP/1.1 407 No\r\n\r\n');
    tunnels.push(url ?? '');
    const onward = connect(Number(new URL(provider.url).port), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      onward.pipe(socket).pipe(onward);
    });
    for (const one of [onward, socket]) one.on('error', () => socket.destroy());
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  PROXY = `http://us:pass@127.0.0.1:${(proxy.address() as AddressInfo).port}`;
});
afterEach(async () => {
  await end();
  tunnels.length = 0;
});
afterAll(async () => {
  await provider.close();
  proxy.closeAllConnections();
  await new Promise((resolve) => proxy.close(resolve));
});

async function askBing(host: string, through = PROXY) {
  end = await installOutboundProxy(through);
  const endpoints = await openEndpoints({ env: { BINGAI_TOKEN: 'u-1', BINGAI_HOST: host, PROXY: through } });
  const messages = [{ role: 'user' as const, content: 'Through what? [[echo]]' }];
  return hear(endpoints, { endpoint: 'bingAI', model: 'BingAI', messages });
}

it('Bing is called through the proxy, by HTTP and by websocket', async () => {
  const { text, reason } = await askBing(FAR);
  expect(reason).toBeNull();
  expect(text).toContain('Through what?');
  expect(tunnels).toEqual(['bing.invalid:1234', 'bing.invalid:1234']);
});

it('a sign-in site is called through the proxy', async () => {
  end = await installOutboundProxy(PROXY);
  expect((await requestSite(`${FAR}/oauth2/token`)).status).toBe(404);
  expect(tunnels).toEqual(['bing.invalid:1234']);
});

it('MCP servers of the operator are called through the proxy, those of users are not', async () => {
  end = await installOutboundProxy(PROXY);
  const url = `${FAR}/mcp`;
  const config = await loadConfig({ env: { DATA_DIR: createFolder() }, cwd: createFolder() });
  const place = { type: 'http' as const, url, headers: {} };
  const server = { name: 'far', target: place, auth: 'none' as const, timeoutMs: 1000, isTrusted: false, filter: {} };
  const fetchOf = createServerFetch({ ...config, mcp: { userServers: true, servers: [server] } }, createEgress([]));
  const init = { method: 'POST', body: '{}' };
  expect((await fetchOf({ target: place, isShared: true, timeoutMs: 1000 })(url, init)).status).toBe(404);
  expect(tunnels).toEqual(['bing.invalid:1234']);
  await expect(fetchOf({ target: place, isShared: false, timeoutMs: 1000 })(url, init)).rejects.toThrow();
  expect(tunnels).toHaveLength(1);
});

it('addresses of this machine are called without the proxy', async () => {
  expect((await askBing(provider.url)).reason).toBeNull();
  expect(tunnels).toEqual([]);
});

it('a proxy that refuses makes the provider unreachable', async () => {
  const { reason } = await askBing(FAR, PROXY.replace('pass@', 'wrong@'));
  expect(reason).toMatchObject({ type: 'provider_unavailable' });
});
