// What a person and a model are told of a server that cannot be used: a true sentence for each fault.
import { readFileSync } from 'node:fs';
import { createServer as createTlsServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { listenLocally, type LocalServer } from '@parley/scripts/local-server';
import type { Reason } from '@parley/schema/reasons';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CERTIFICATE_PATH } from '../../support/accounts/ldap-server.ts';
import { openMcp, type OpenMcp } from './open-mcp.ts';
import { startPlainServer, type Answers, type PlainServer } from './plain-server.ts';

/** What it answers with, by its name in the yaml file. */
const pages: Record<string, [status: number, type: string, body: string]> = {
  locked: [401, 'application/json', '{"error":"unauthorized"}'],
  denied: [403, 'text/html', '<h1>Forbidden</h1>'],
  missing: [404, 'text/html', '<h1>Not found</h1>'],
  busy: [429, 'text/plain', 'Slow down'],
  broken: [500, 'text/html', '<h1>Oops</h1>'],
  moved: [308, 'text/plain', ''],
  page: [200, 'text/html; charset=utf-8', '<!doctype html><h1>Hello</h1>'],
  words: [200, 'text/plain', 'OK'],
  foreign: [200, 'application/json', '{"message":"Welcome to our API"}'],
  cut: [200, 'application/json', '{"jsonrpc":'],
};
const answers: Record<string, Answers> = {
  old: {
    initialize: {
      result: { protocolVersion: '1999-12-31', capabilities: {}, serverInfo: { name: 'o', version: '1' } },
    },
  },
  choosy: { initialize: { error: { code: -32_602, message: 'Unsupported protocol version' } } },
  failing: { 'tools/list': { error: { code: -32_603, message: 'Out of order' } } },
  shapeless: { initialize: { result: { hello: 'world' } } },
};

const sentences: Record<string, [said: string, reason: Reason]> = {
  locked: [
    'locked refuses access: it wants a sign-in or a header, which is not set up here.',
    { type: 'unauthorized' },
  ],
  denied: ['denied refuses access (status 403).', { type: 'provider_unavailable', status: 403 }],
  missing: ['No tool server is at the address of missing (status 404).', { type: 'provider_unavailable', status: 404 }],
  busy: ['busy takes no more requests at the moment (status 429).', { type: 'provider_unavailable', status: 429 }],
  broken: ['broken answers with status 500.', { type: 'provider_unavailable', status: 500 }],
  moved: [
    'The address of moved leads to another one, which is not followed.',
    { type: 'provider_unavailable', status: 308 },
  ],
  page: [
    'page answers with a page, not by the Model Context Protocol. Its address may be wrong.',
    { type: 'provider_malformed' },
  ],
  words: [
    'words answers, but not by the Model Context Protocol. Its address may be wrong.',
    { type: 'provider_malformed', why: 'not_mcp' },
  ],
  foreign: [
    'foreign answers, but not by the Model Context Protocol. Its address may be wrong.',
    { type: 'provider_malformed', why: 'not_mcp' },
  ],
  cut: [
    'cut answers, but not by the Model Context Protocol. Its address may be wrong.',
    { type: 'provider_malformed', why: 'not_mcp' },
  ],
  shapeless: [
    'shapeless answers, but not by the Model Context Protocol. Its address may be wrong.',
    { type: 'provider_malformed', why: 'not_mcp' },
  ],
  old: [
    'old speaks a version of the Model Context Protocol that is not supported here.',
    { type: 'provider_malformed', why: 'version' },
  ],
  choosy: [
    'choosy speaks a version of the Model Context Protocol that is not supported here.',
    { type: 'provider_malformed', why: 'version' },
  ],
  failing: ['failing answers with an error instead of its tools.', { type: 'provider_malformed', why: 'error' }],
  silent: ['silent did not answer within 2 seconds.', { type: 'provider_stalled', seconds: 2 }],
  nowhere: [
    'nowhere cannot be reached: no host of the name in its address was found.',
    { type: 'provider_unavailable', status: null, why: 'no_host' },
  ],
  unsigned: [
    'unsigned cannot be reached: its certificate is not valid.',
    { type: 'provider_unavailable', status: null, why: 'bad_certificate' },
  ],
  plain: [
    'plain cannot be reached: it does not answer by https.',
    { type: 'provider_unavailable', status: null, why: 'no_tls' },
  ],
  closed: ['closed cannot be reached.', { type: 'provider_unavailable', status: null }],
  dropping: ['dropping cannot be reached.', { type: 'provider_unavailable', status: null }],
};

let server: LocalServer;
let protocol: PlainServer;
let tls: Server;
let mcp: OpenMcp;
/** With little patience. */
let hasty: OpenMcp;

beforeAll(async () => {
  server = await listenLocally((request, response) => {
    const name = (request.url ?? '').slice(1);
    if (name === 'silent') return;
    if (name === 'dropping') return void request.socket.destroy();
    const [status, type, body] = pages[name] ?? [404, 'text/plain', ''];
    response.writeHead(status, {
      'content-type': type,
      ...(status === 308 && { location: 'https://example.com/mcp' }),
    });
    response.end(body);
  });
  protocol = await startPlainServer(answers);
  const pem = (name: string) => readFileSync(join(dirname(CERTIFICATE_PATH), name));
  tls = createTlsServer({ cert: pem('certificate.pem'), key: pem('key.pem') });
  await new Promise<void>((resolve) => tls.listen(0, '127.0.0.1', resolve));
  const urls = {
    silent: `${server.url}/silent`,
    ...Object.fromEntries([...Object.keys(pages), 'dropping'].map((name) => [name, `${server.url}/${name}`])),
    ...Object.fromEntries(Object.keys(answers).map((name) => [name, protocol.urlOf(name)])),
    nowhere: 'https://no-such-host.invalid/mcp',
    unsigned: `https://127.0.0.1:${(tls.address() as AddressInfo).port}/mcp`,
    plain: `${server.url.replace('http:', 'https:')}/mcp`,
    closed: 'http://127.0.0.1:9/mcp',
  };
  const servers = Object.entries(urls).map(([name, url]) => [name, { url }] as const);
  mcp = await openMcp(Object.fromEntries(servers));
  hasty = await openMcp({ silent: { url: urls.silent } }, {}, { toolServerMs: 2000 });
});
afterAll(async () => {
  await Promise.all([mcp.close(), hasty.close()]);
  tls.close();
  await protocol.close();
  await server.close();
});

describe('a server that cannot be used', () => {
  it.each(Object.keys(sentences))('says why: %s', async (name) => {
    const by = name === 'silent' ? hasty : mcp;
    const { problems } = await by.toolsOf(by.alice, name);
    const listed = (await by.alice.api.mcp.list()).find(({ id }) => id === name);
    expect([problems, listed?.reason]).toEqual([[sentences[name]?.[0]], sentences[name]?.[1]]);
  });
});
