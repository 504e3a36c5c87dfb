// For which host names a server answers: a page of a foreign name that resolves to this machine gets nothing.
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openHttpClients, type HttpClients } from '../../support/http-clients.ts';

let clients: HttpClients;

beforeAll(async () => {
  clients = await openHttpClients({
    env: {
      DOMAIN_CLIENT: 'https://chat.example.com',
      DOMAIN_SERVER: 'https://api.example.com:8443',
      ALLOWED_HOSTS: 'parley, .lan.example',
    },
  });
});
afterAll(() => clients.close());

interface Answer {
  status: number;
  text: string;
}

function ask(path: string, headers: Record<string, string>): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(`http://${clients.host}${path}`, { headers }, (response) => {
      let text = '';
      response.on('data', (chunk) => (text += String(chunk)));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
    });
    sent.on('error', reject).end();
  });
}

describe('a request to a foreign host name', () => {
  const foreign = { host: 'rebound.attacker.example:3080', origin: 'http://rebound.attacker.example:3080' };

  it.each(['/', '/c/new', '/trpc/config', '/api/config', '/oauth/github'])(
    'gets at %s only a sentence that names the settings',
    async (path) => {
      const { status, text } = await ask(path, foreign);
      expect(status).toBe(421);
      expect(text).toContain('DOMAIN_CLIENT=http://rebound.attacker.example:3080');
      expect(text).toContain('ALLOWED_HOSTS');
    },
  );

  it('gets the sentence as JSON where clients expect that', async () => {
    const { text } = await ask('/api/config', foreign);
    expect(JSON.parse(text)).toEqual({ message: expect.stringContaining('DOMAIN_CLIENT') });
  });

  it('gets no websocket', async () => {
    const socket = clients.openSocket('/trpc', foreign);
    const status = await new Promise((resolve) =>
      socket.on('unexpected-response', (_, answer) => resolve(answer.statusCode)),
    );
    expect(status).toBe(421);
  });

  it('is not quoted when it is no host name', async () => {
    const { status, text } = await ask('/', { host: '<script>' });
    expect(status).toBe(400);
    expect(text).not.toContain('script');
  });

  it('reaches the probe of load balancers, which name an address', async () => {
    expect(await ask('/health', { host: '10.0.0.7:3080' })).toEqual({ status: 200, text: 'OK' });
  });

  it('is not believed to be another one by a header of a proxy that is not there', async () => {
    expect((await ask('/api/config', { ...foreign, 'x-forwarded-host': 'chat.example.com' })).status).toBe(421);
  });
});

describe('a request to a name of this site', () => {
  it.each([
    'chat.example.com',
    'Chat.Example.com:443',
    'api.example.com',
    'localhost:8080',
    '127.0.0.1',
    '[::1]:3080',
    'parley:3080',
    'office.lan.example',
  ])('is answered for %s', async (host) => {
    expect((await ask('/api/config', { host })).status).toBe(200);
  });
});
