// Calls of services, at addresses of the operator and, by the egress guard, of users.
import { createEgress } from '@parley/server/platform/egress';
import { callService, type Service } from '@parley/server/tools/call-service';
import { startPluginUpstreams, type PluginUpstreams } from '@parley/scripts/fake-tools/plugin-upstreams';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let upstreams: PluginUpstreams;

beforeAll(async () => {
  upstreams = await startPluginUpstreams();
});
afterAll(() => upstreams.close());

const never = new AbortController().signal;

describe.each([
  ['of the operator', null],
  ['of a user', createEgress(['127.0.0.1'])],
])('a service at an address %s', (_whose, egress) => {
  const service: Service = { name: 'The service', secrets: ['the-secret'], egress };
  const url = () => `${upstreams.url}/search`;

  it('is sent the method, the query, the headers and the body', async () => {
    const headers = { 'x-own': 'yes' };
    await callService(service, { url: url(), query: { a: 'b c&d', n: 5, gone: undefined }, headers, signal: never });
    expect(upstreams.requests.at(-1)).toMatchObject({
      method: 'GET',
      query: { a: 'b c&d', n: '5' },
      headers,
      body: null,
    });
    await callService(service, { url: url(), body: { query: 'é' }, signal: never });
    expect(upstreams.requests.at(-1)).toMatchObject({ method: 'POST', query: {}, body: { query: 'é' } });
  });

  it('that does not answer in time is given up', async () => {
    const before = upstreams.abandoned();
    const asked = callService(service, { url: url(), query: { q: 'fake:hang' }, timeoutMs: 200, signal: never });
    await expect(asked).rejects.toThrow('The service did not answer within 0.2 seconds.');
    await expect.poll(upstreams.abandoned).toBe(before + 1);
  });

  it('is given up with the reason of the one who stops', async () => {
    const stop = new AbortController();
    const asked = callService(service, { url: url(), query: { q: 'fake:hang' }, signal: stop.signal });
    stop.abort(new Error('Enough'));
    await expect(asked).rejects.toThrow('Enough');
  });

  it('is not followed elsewhere', async () => {
    const asked = callService(service, { url: url(), query: { q: 'fake:redirect' }, signal: never });
    await expect(asked).rejects.toThrow('The service answers with status 302.');
  });

  it('is read up to a limit', async () => {
    const asked = callService(service, { url: url(), query: { q: 'x'.repeat(2000) }, maxBytes: 1000, signal: never });
    await expect(asked).rejects.toThrow('The service answers with more than is read.');
  });

  it('repeats no secret', async () => {
    const query = { q: 'fake:refuse', key: 'the-secret' };
    await expect(callService(service, { url: url(), query, signal: never })).rejects.toThrow(
      'The service answers with status 401: {"error":"The key … is not valid"}',
    );
  });
});

it('an address of a user that is not public is not called', async () => {
  const service: Service = { name: 'The service', secrets: [], egress: createEgress([]) };
  const before = upstreams.requests.length;
  const asked = callService(service, { url: upstreams.url, signal: never });
  await expect(asked).rejects.toThrow('This server must not call the address of The service.');
  expect(upstreams.requests).toHaveLength(before);
});
