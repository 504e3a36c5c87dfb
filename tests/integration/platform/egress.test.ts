// Addresses that users give: which are called, and that the others are not reached.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { checkedBaseURL, createEgress, isPublic, guardedLookup, type Resolve } from '@parley/server/platform/egress';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

const forbidden = { reason: { type: 'forbidden_base_url' } };
const isForbidden = expect.objectContaining({ reason: expect.objectContaining(forbidden.reason) });

/** A server of this machine, which nobody outside the operator's list may reach. */
let local: Server;
let port: number;
let heard: string[] = [];

beforeAll(async () => {
  local = createServer((request, response) => {
    heard.push(`${request.method} ${request.headers.host}${request.url}`);
    if (request.url === '/away') response.writeHead(302, { location: `http://127.0.0.1:${port}/secret` }).end();
    else response.writeHead(429, { 'retry-after': '7' }).end('inside');
  });
  await new Promise<void>((resolve) => local.listen(0, '127.0.0.1', resolve));
  ({ port } = local.address() as AddressInfo);
});
afterEach(() => void (heard = []));
afterAll(() => new Promise((resolve) => local.close(resolve)));

/** A name server that answers with these addresses, one answer after the other. */
function saying(...answers: string[][]): Resolve & { asked: string[] } {
  const asked: string[] = [];
  const resolve: Resolve = (hostname, _options, callback) => {
    const answer = answers[Math.min(asked.length, answers.length - 1)] ?? [];
    asked.push(hostname);
    callback(
      null,
      answer.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
  };
  return Object.assign(resolve, { asked });
}

describe('an IP address', () => {
  it.each(['8.8.8.8', '1.1.1.1', '93.184.216.34', '2606:4700:4700::1111', '2a00:1450:4001:80b::200e'])(
    'that is public may be called: %s',
    (address) => expect(isPublic(address)).toBe(true),
  );

  it.each([
    ['this host', '0.0.0.0'],
    ['this network', '0.1.2.3'],
    ['private', '10.1.2.3'],
    ['carrier-grade NAT', '100.64.0.1'],
    ['loopback', '127.0.0.1'],
    ['loopback', '127.255.255.254'],
    ['link-local, where clouds tell secrets', '169.254.169.254'],
    ['where Azure tells secrets', '168.63.129.16'],
    ['where Alibaba tells secrets', '100.100.100.200'],
    ['where Oracle tells secrets', '192.0.0.192'],
    ['where Amazon tells secrets', 'fd00:ec2::254'],
    ['private', '172.16.0.1'],
    ['private', '172.31.255.255'],
    ['protocol assignments', '192.0.0.8'],
    ['documentation', '192.0.2.1'],
    ['6to4 relay', '192.88.99.1'],
    ['private', '192.168.1.1'],
    ['benchmarking', '198.19.0.1'],
    ['documentation', '198.51.100.1'],
    ['documentation', '203.0.113.1'],
    ['multicast', '224.0.0.1'],
    ['reserved', '240.0.0.1'],
    ['broadcast', '255.255.255.255'],
    ['unspecified', '::'],
    ['loopback', '::1'],
    ['v4-mapped', '::ffff:127.0.0.1'],
    ['v4-mapped, of a public one too', '::ffff:8.8.8.8'],
    ['v4-compatible', '::127.0.0.1'],
    ['v4-translated', '::ffff:0:10.0.0.1'],
    ['NAT64', '64:ff9b::7f00:1'],
    ['local NAT64', '64:ff9b:1::1'],
    ['discard', '100::1'],
    ['Teredo', '2001:0:7f00:1::1'],
    ['benchmarking', '2001:2::1'],
    ['orchid', '2001:20::1'],
    ['documentation', '2001:db8::1'],
    ['6to4', '2002:7f00:1::1'],
    ['documentation', '3fff::1'],
    ['segment routing', '5f00::1'],
    ['unassigned', '4000::1'],
    ['unique local', 'fc00::1'],
    ['unique local', 'fd12:3456::1'],
    ['link-local', 'fe80::1'],
    ['link-local with a zone', 'fe80::1%eth0'],
    ['site-local', 'fec0::1'],
    ['multicast', 'ff02::1'],
    ['no address', 'localhost'],
    ['nothing', ''],
  ])('that is %s may not be called: %s', (_, address) => expect(isPublic(address)).toBe(false));
});

describe('a base URL', () => {
  it.each([
    ['https://api.example.com/v1', 'https://api.example.com/v1'],
    [' https://api.example.com/v1/ ', 'https://api.example.com/v1'],
    ['https://api.example.com/v1/chat/completions', 'https://api.example.com/v1'],
    ['https://api.example.com/v1/completions/', 'https://api.example.com/v1'],
    ['https://api.example.com:443/v1', 'https://api.example.com/v1'],
    ['https://8.8.8.8/v1', 'https://8.8.8.8/v1'],
  ])('%j is called as %s', (text, url) => expect(checkedBaseURL(text, [])).toBe(url));

  it.each([
    '',
    'api.example.com',
    'ftp://api.example.com/v1',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'http://api.example.com/v1',
    'https://api.example.com:8443/v1',
    'https://user@api.example.com/v1',
    'https://user:word@api.example.com/v1',
    'https://api.example.com/v1?key=1',
    'https://api.example.com/v1#x',
    'https://127.0.0.1/v1',
    'https://2130706433/v1',
    'https://0x7f000001/v1',
    'https://0177.0.0.1/v1',
    'https://127.1/v1',
    'https://127.0.0.1./v1',
    'https://0/v1',
    'https://169.254.169.254/latest/meta-data',
    'https://[::1]/v1',
    'https://[::ffff:127.0.0.1]/v1',
    'https://[::ffff:7f00:1]/v1',
    'https://[64:ff9b::7f00:1]/v1',
    'https://[fd00::1]/v1',
  ])('%j is forbidden', (text) => {
    expect(() => checkedBaseURL(text, [])).toThrowError(isForbidden);
  });

  it.each([
    ['gpu.lan', 'http://gpu.lan:11434/v1', true],
    ['gpu.lan', 'https://gpu.lan/v1', true],
    ['gpu.lan', 'https://other.lan:1/v1', false],
    ['gpu.lan:11434', 'http://gpu.lan:11434/v1', true],
    ['gpu.lan:11434', 'http://gpu.lan:22/v1', false],
    ['gpu.lan:80', 'http://gpu.lan/v1', true],
    ['.lan', 'http://gpu.lan:1/v1', true],
    ['.lan', 'http://lan:1/v1', false],
    ['.lan', 'http://evil-lan:1/v1', false],
    ['10.0.0.5:8000', 'http://10.0.0.5:8000/v1', true],
    ['10.0.0.5:8000', 'http://10.0.0.6:8000/v1', false],
    ['[::1]:8000', 'http://[::1]:8000/v1', true],
    ['gpu.lan', 'http://gpu.lan.example.com/v1', false],
    ['gpu.lan', 'ftp://gpu.lan/v1', false],
  ])('with %s exempt: %s is callable: %s', (entry, url, isCallable) => {
    if (isCallable) expect(checkedBaseURL(url, [entry])).toBe(url);
    else expect(() => checkedBaseURL(url, [entry])).toThrowError(isForbidden);
  });
});

describe('a call', () => {
  it.each([
    ['https://127.0.0.1', []],
    ['https://[::1]', []],
    ['http://localhost', []],
  ])('to %s is blocked', async (origin) => {
    const { fetch } = createEgress([]);
    await expect(fetch(`${origin}:${port}/secret`)).rejects.toMatchObject(forbidden);
    expect(heard).toEqual([]);
  });

  it.each([
    ['a private address', ['127.0.0.1']],
    ['a public and a private one', ['93.184.216.34', '127.0.0.1']],
    ['a private one in IPv6 clothes', ['::ffff:127.0.0.1']],
    ['none', []],
  ])('to a name that resolves to %s is blocked', async (_, addresses) => {
    const resolve = saying(addresses);
    const { fetch } = createEgress([], resolve);
    await expect(fetch('https://models.example.com/v1')).rejects.toMatchObject({
      reason: { type: 'forbidden_base_url', host: 'models.example.com' },
    });
    expect(resolve.asked).toEqual(['models.example.com']);
  });

  it('connects to the addresses that were checked, and checks again the next time', () => {
    const resolve = saying(['93.184.216.34', '2606:4700:4700::1111'], ['127.0.0.1']);
    const look = guardedLookup(resolve);
    const told: unknown[] = [];
    for (const options of [{ all: true }, { all: true }, {}])
      look('rebinding.example.com', options, (error, address) => void told.push(error ?? address));
    expect(told).toEqual([
      [
        { address: '93.184.216.34', family: 4 },
        { address: '2606:4700:4700::1111', family: 6 },
      ],
      isForbidden,
      isForbidden,
    ]);
    expect(resolve.asked).toHaveLength(3);
  });

  it('is blocked to localhost with the real resolver', async () => {
    await expect(createEgress([]).fetch('https://localhost/v1')).rejects.toMatchObject(forbidden);
  });

  it('is made to an exempt host and answered', async () => {
    const { fetch } = createEgress([`127.0.0.1:${port}`]);
    const response = await fetch(`http://127.0.0.1:${port}/v1`, { method: 'POST', body: '{}' });
    expect(response).toBeInstanceOf(Response);
    expect(response.headers).toBeInstanceOf(Headers);
    expect([response.status, response.headers.get('retry-after'), await response.text()]).toEqual([429, '7', 'inside']);
    expect(heard).toEqual([`POST 127.0.0.1:${port}/v1`]);
  });

  it('follows no redirect, from an exempt host either', async () => {
    const { fetch } = createEgress([`127.0.0.1:${port}`]);
    await expect(fetch(`http://127.0.0.1:${port}/away`)).rejects.toThrow('fetch failed');
    expect(heard).toEqual([`GET 127.0.0.1:${port}/away`]);
  });

  it('ends with its signal', async () => {
    const { fetch } = createEgress([`127.0.0.1:${port}`]);
    const signal = AbortSignal.abort();
    await expect(fetch(`http://127.0.0.1:${port}/v1`, { signal })).rejects.toMatchObject({ name: 'AbortError' });
  });
});

describe('a download', () => {
  const limits = { maxBytes: 100, timeoutMs: 10_000 };
  let files: Server;
  let url: string;
  beforeAll(async () => {
    files = createServer((request, response) => {
      if (request.url === '/endless') response.write('x'.repeat(101));
      else if (request.url === '/silent') response.flushHeaders();
      else if (request.url === '/away') response.writeHead(302, { location: '/there?a=1' }).end();
      else response.writeHead(request.url === '/missing' ? 404 : 200).end(`you asked for ${request.url}`);
    });
    await new Promise<void>((resolve) => files.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(files.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    files.closeAllConnections();
    await new Promise((resolve) => files.close(resolve));
  });
  const egress = () => createEgress([new URL(url).host]);

  it('returns all bytes of an address with its query', async () => {
    const bytes = await egress().download(`${url}/there?a=1&b=2`, limits);
    expect(Buffer.from(bytes).toString()).toBe('you asked for /there?a=1&b=2');
  });

  it.each([
    ['that is too large', '/endless', limits],
    ['that does not come', '/silent', { ...limits, timeoutMs: 50 }],
    ['that is elsewhere', '/away', limits],
    ['that is missing', '/missing', limits],
  ])('%s fails', async (_, path, given) => {
    await expect(egress().download(url + path, given)).rejects.toThrow();
  });

  it.each(['/', '/?a=1'])('from an address of this network is refused: %s', async (path) => {
    await expect(createEgress([]).download(url + path, limits)).rejects.toMatchObject(forbidden);
    await expect(createEgress([]).download(`https://10.0.0.1${path}`, limits)).rejects.toMatchObject(forbidden);
  });

  it.each(['https://user:secret@example.com/?a=1', 'file:///etc/passwd', 'no address'])(
    'with %s is refused',
    async (given) => {
      await expect(egress().download(given, limits)).rejects.toMatchObject(forbidden);
    },
  );
});

describe('a call', () => {
  const limits = { maxBytes: 100, timeoutMs: 60_000 };
  let api: Server;
  let url: string;
  beforeAll(async () => {
    api = createServer((request, response) => {
      request.setEncoding('utf8').on('data', (body: string) => response.write(`${request.method} ${body}`));
      request.on('end', () => {
        if (request.url === '/endless') response.end('x'.repeat(101));
        else if (request.url === '/away') response.writeHead(302, { location: 'http://169.254.169.254/' }).end();
        else if (request.url === '/silent') response.flushHeaders();
        else response.end(request.url);
      });
    });
    await new Promise<void>((resolve) => api.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(api.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    api.closeAllConnections();
    await new Promise((resolve) => api.close(resolve));
  });
  const call = (path: string, method = 'GET', body?: string, given: object = {}) =>
    createEgress([new URL(url).host]).call(url + path, { method, headers: {}, body }, { ...limits, ...given });

  it.each(['POST', 'PUT', 'PATCH', 'DELETE'])('sends %s with its body and its query', async (method) => {
    const response = await call('/there?a=1', method, 'said');
    expect([response.status, await response.text()]).toEqual([200, `${method} said/there?a=1`]);
  });

  it('returns a redirect and does not follow it', async () => {
    const response = await call('/away');
    expect([response.status, response.headers.get('location')]).toEqual([302, 'http://169.254.169.254/']);
  });

  it('ends a body that is too long, and one that does not come', async () => {
    await expect((await call('/endless')).text()).rejects.toThrow('more than 100 bytes');
    await expect((await call('/silent', 'GET', undefined, { timeoutMs: 200 })).text()).rejects.toThrow();
  });

  it('ends with its signal', async () => {
    const stop = new AbortController();
    const response = await call('/silent', 'GET', undefined, { signal: stop.signal });
    stop.abort();
    await expect(response.text()).rejects.toMatchObject({ name: 'AbortError' });
  });

  it.each(['https://10.0.0.1/?a=1', 'https://169.254.169.254/', 'http://example.com/', 'https://a:b@example.com/'])(
    'of %s is refused',
    async (given) => {
      const init = { method: 'GET', headers: {} };
      await expect(createEgress([]).call(given, init, limits)).rejects.toMatchObject(forbidden);
    },
  );

  it('is refused when a name leads into this network', async () => {
    const inside = createEgress([], saying(['169.254.169.254']));
    const calling = inside.call('https://api.example.com/?a=1', { method: 'GET', headers: {} }, limits);
    await expect(calling).rejects.toMatchObject(forbidden);
  });
});
