// Servers of the older transport (HTTP with SSE), with the same guard, limits, headers and sign-in.
import { startFakeMcpServer, type FakeMcpServer } from '@parley/scripts/fake-tools/mcp-server';
import { listenLocally, type LocalServer } from '@parley/scripts/local-server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openMcp, reportsOf, type OpenMcp } from './open-mcp.ts';
import { usual } from './plain-server.ts';

const KEY = 'Bearer very-secret';

let fake: FakeMcpServer;
let locked: FakeMcpServer;
let signedIn: FakeMcpServer;
/** What only this network may reach. */
let inside: LocalServer;
let odd: LocalServer;
let heard = 0;
let mcp: OpenMcp;

beforeAll(async () => {
  fake = await startFakeMcpServer({ isLegacy: true });
  locked = await startFakeMcpServer({ isLegacy: true, auth: { type: 'header', name: 'Authorization', value: KEY } });
  signedIn = await startFakeMcpServer({ isLegacy: true, auth: { type: 'oauth' } });
  inside = await listenLocally((_request, response) => {
    heard += 1;
    response.end('{}');
  });
  odd = await listenLocally(respondOddly);
  const root = new URL(fake.url).origin;
  mcp = await openMcp({
    legacy: { url: fake.url },
    root: { url: root },
    newer: { url: `${root}/mcp` },
    brief: { url: fake.url, timeout: 300 },
    header: { url: locked.url, headers: { Authorization: KEY } },
    wrong: { url: locked.url, headers: { Authorization: 'guessed' } },
    oauth: { url: signedIn.url, auth: 'oauth' },
    ...Object.fromEntries(
      ['elsewhere', 'page', 'endless', 'refusing', 'nulls'].map((way) => [way, { url: `${odd.url}/${way}` }]),
    ),
  });
});
afterAll(async () => {
  await mcp.close();
  await Promise.all([fake, locked, signedIn, inside, odd].map((one) => one.close()));
});

/** By the path: what an odd server says in its stream. */
function respondOddly(...[request, response]: Parameters<Parameters<typeof listenLocally>[0]>): void {
  const way = (request.url ?? '').slice(1).split('?', 1)[0];
  const isMessage = request.url?.includes('?message') ?? false;
  if (request.method === 'GET') {
    if (way === 'page') return void response.setHeader('content-type', 'text/html').end('<h1>Hello</h1>');
    response.setHeader('content-type', 'text/event-stream');
    response.write(`event: endpoint\ndata: ${way === 'elsewhere' ? inside.url : `/${way}?message`}\n\n`);
    streams.set(way ?? '', response);
    return;
  }
  if (!isMessage) return void response.writeHead(405).end();
  if (way === 'refusing') return void response.writeHead(404).end('No');
  response.writeHead(202).end('Accepted');
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const { id, method = '' } = JSON.parse(Buffer.concat(chunks).toString()) as { id?: number; method?: string };
    if (id === undefined) return;
    if (way === 'endless' && method === 'tools/call') {
      const flood = () => {
        while (!stream?.destroyed && stream?.write(`data: ${'x'.repeat(100_000)}\n`));
        if (!stream?.destroyed) stream?.once('drain', flood);
      };
      const stream = streams.get('endless');
      return flood();
    }
    const answer = { jsonrpc: '2.0', id, ...usual[method], error: null };
    streams.get(way ?? '')?.write(`event: message\r\ndata: ${JSON.stringify(answer)}\r\n\r\n`);
  });
}

const streams = new Map<string, Parameters<Parameters<typeof listenLocally>[0]>[1]>();

const echoed = (said: string) => ({ type: 'done', text: said });

describe('a server that speaks the older transport', () => {
  it.each(['legacy', 'root', 'newer'])(
    'a server connects and answers calls of its tools at the address of %s',
    async (id) => {
      const { names, problems } = await mcp.toolsOf(mcp.alice, id);
      expect(problems).toEqual([]);
      expect(names).toContain(`mcp_${id}_echo`);
      expect(await mcp.call(mcp.alice, id, `mcp_${id}_echo`, { text: 'hi' })).toMatchObject(echoed('hi'));
    },
  );

  it('tells how far a call is, and fails in sentences', async () => {
    const steps = await reportsOf(mcp, mcp.alice, 'legacy', 'mcp_legacy_steps');
    expect(steps).toEqual([
      { progress: 0.5, log: 'Step 1\n' },
      { progress: 1, log: 'Step 2\n' },
    ]);
    const failed = await mcp.call(mcp.alice, 'legacy', 'mcp_legacy_failing');
    expect(failed).toMatchObject({ type: 'failed', text: 'The printer is on fire' });
  });

  it('is left by a call that takes too long', async () => {
    const before = fake.abandoned;
    const outcome = await mcp.call(mcp.alice, 'brief', 'mcp_brief_slow');
    expect(outcome).toMatchObject({ type: 'failed', text: expect.stringContaining('did not answer within') });
    await expect.poll(() => fake.abandoned).toBeGreaterThan(before);
    expect(await mcp.call(mcp.alice, 'brief', 'mcp_brief_echo', { text: 'on' })).toMatchObject(echoed('on'));
  });

  it('is connected once more after it was started again', async () => {
    await mcp.call(mcp.alice, 'legacy', 'mcp_legacy_echo', { text: 'a' });
    const { opened } = fake;
    fake.forgetSessions();
    await expect.poll(() => mcp.call(mcp.alice, 'legacy', 'mcp_legacy_echo', { text: 'b' })).toMatchObject(echoed('b'));
    expect(fake.opened).toBeGreaterThan(opened);
  });

  it('gets its header with the stream and with each message', async () => {
    expect(await mcp.call(mcp.alice, 'header', 'mcp_header_echo', { text: 'in' })).toMatchObject(echoed('in'));
    expect((await mcp.toolsOf(mcp.alice, 'wrong')).problems).toEqual([
      'wrong refuses access: it wants a sign-in or a header, which is not set up here.',
    ]);
  });

  it('is signed in to', async () => {
    const { names } = await mcp.toolsOf(mcp.alice, 'oauth');
    expect(names).toEqual(['mcp_oauth_sign_in_first']);
    const { location, flow } = await mcp.services.deps.mcp.signIn.start(mcp.alice.id, 'oauth');
    const agreed = await fetch(location, { redirect: 'manual' });
    const back = new URL(agreed.headers.get('location') ?? '');
    const code = back.searchParams.get('code') ?? '';
    await mcp.services.deps.mcp.signIn.finish({ flow, code, issuer: null });
    expect(await mcp.call(mcp.alice, 'oauth', 'mcp_oauth_echo', { text: 'me' })).toMatchObject(echoed('me'));
  });

  it('may write null for what it leaves out', async () => {
    expect(await mcp.call(mcp.alice, 'nulls', 'mcp_nulls_say')).toMatchObject(echoed('said'));
  });
});

describe('a stream', () => {
  it('is not used when it names another server for its messages, and nothing is sent there', async () => {
    const { names, problems } = await mcp.toolsOf(mcp.alice, 'elsewhere');
    expect({ names, problems, heard }).toEqual({
      names: [],
      problems: ['elsewhere answers with status 405.'],
      heard: 0,
    });
  });

  it('that is none leaves the answer to the newer transport', async () => {
    expect((await mcp.toolsOf(mcp.alice, 'page')).problems).toEqual(['page answers with status 405.']);
  });

  it('says when its messages are refused', async () => {
    const said = 'No tool server is at the address of refusing (status 404).';
    expect((await mcp.toolsOf(mcp.alice, 'refusing')).problems).toEqual([said]);
  });

  it('is cut when its event never ends, and the call is told', async () => {
    const outcome = await mcp.call(mcp.alice, 'endless', 'mcp_endless_say');
    expect(outcome).toMatchObject({ type: 'failed', text: expect.stringMatching(/too long/) });
    await expect.poll(() => streams.get('endless')?.destroyed).toBe(true);
  });
});
