import { connect } from '@parley/db/client';
import { createMetrics } from '@parley/server/platform/metrics';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../../support/server.ts';

const TOKEN = 'a-token-for-metrics';

describe('GET /metrics', () => {
  let server: TestServer;

  beforeAll(async () => {
    server = await startTestServer({ env: { METRICS_TOKEN: TOKEN } });
  });
  afterAll(() => server.close());

  it('refuses a request without the token', async () => {
    const answer = await fetch(`${server.url}/metrics`);
    expect(answer.status).toBe(401);
    expect(await answer.text()).not.toContain('parley_');
  });

  it('refuses another token', async () => {
    expect((await read('another-token')).status).toBe(401);
  });

  it('counts requests by the pattern of their route', async () => {
    await fetch(`${server.url}/health`);
    await fetch(`${server.url}/api/convos/${crypto.randomUUID()}`);
    const text = await (await read(TOKEN)).text();
    expect(text).toMatch(/parley_http_request_duration_seconds_count\{method="GET",route="\/health",status="200"\} 1/);
    expect(text).toContain('route="/api/convos/:conversationId",status="401"');
  });

  it('reports the process, the event loop and the database', async () => {
    const answer = await read(TOKEN);
    expect(answer.headers.get('content-type')).toMatch(/^text\/plain/);
    const text = await answer.text();
    for (const name of ['process_resident_memory_bytes', 'parley_generations_running 0', 'parley_websockets_open 0'])
      expect(text).toContain(name);
    expect(text).toMatch(/parley_event_loop_delay_seconds\{quantile="0.99"\} \d/);
    expect(text).toMatch(/parley_database_connections\{state="(active|idle)"\} [1-9]/);
  });

  function read(token: string): Promise<Response> {
    return fetch(`${server.url}/metrics`, { headers: { Authorization: `Bearer ${token}` } });
  }
});

it('the numbers without those of the database are there while it is away', async () => {
  const db = connect({ kind: 'url', url: 'postgres://nobody@127.0.0.1:9/none' });
  const metrics = await createMetrics(db);
  const text = await metrics.read();
  expect(text).toContain('parley_generations_running 0');
  expect(text).not.toContain('parley_database_connections{');
  metrics.close();
  await db.end();
});

describe('without METRICS_TOKEN', () => {
  let server: TestServer;

  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.close());

  it('serves the app at /metrics, as at any path', async () => {
    const answer = await fetch(`${server.url}/metrics`, { headers: { Authorization: `Bearer ${TOKEN}` } });
    expect(await answer.text()).not.toContain('parley_');
  });

  it.each(['/health', '/trpc/endpoints.startup', '/trpc/nothing', '/api/config', '/api/nothing'])(
    'names each request in its response: %s',
    async (path) => {
      const ids = await Promise.all([1, 2].map(async () => idOf(path)));
      expect(new Set(ids).size).toBe(2);
      for (const id of ids) expect(id).toMatch(/^[\da-f-]{36}$/);
    },
  );

  it('takes a short plain name from a proxy, and no other', async () => {
    expect(await idOf('/health', 'proxy-17')).toBe('proxy-17');
    for (const name of ['x'.repeat(256), 'a "quoted" name', '{"level":"fatal"}'])
      expect(await idOf('/health', name)).toMatch(/^[\da-f-]{36}$/);
  });

  async function idOf(path: string, named?: string): Promise<string | null> {
    const headers: Record<string, string> = named === undefined ? {} : { 'x-request-id': named };
    return (await fetch(server.url + path, { headers })).headers.get('x-request-id');
  }
});
