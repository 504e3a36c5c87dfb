// What no handler expects: a session that cannot be looked up, and an error outside of any request.
import type { AddressInfo } from 'node:net';
import { createApp, type App } from '@parley/server/app';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { openTestServices, type TestServices } from '../../support/services.ts';

let services: TestServices;
let app: App;
let url: string;

beforeAll(async () => {
  services = await openTestServices();
  const authenticate = () => Promise.reject(new Error('select secret', { cause: new TypeError('of a value') }));
  app = createApp({ ...services.deps, auth: { ...services.deps.auth, authenticate } }, '');
  await new Promise<void>((resolve) => app.server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await app.close();
  await services.close();
});
afterEach(() => vi.restoreAllMocks());

describe('a session that cannot be looked up', () => {
  it.each(['POST /api/import', 'GET /api/export', 'GET /api/user'])('is one line in the log at %s', async (route) => {
    const [method = '', path = ''] = route.split(' ');
    const printed = vi.spyOn(console, 'error').mockImplementation(() => {});
    const logged = vi.spyOn(services.deps.log, 'error').mockImplementation(() => {});
    const answer = await fetch(url + path, {
      method,
      headers: { authorization: 'Bearer a.b.c', 'content-type': 'application/json' },
      ...(method === 'POST' && { body: '[]' }),
    });
    expect(answer.status).toBe(500);
    expect(await answer.json()).toEqual({ message: expect.stringContaining('An error occurred') });
    expect(printed).not.toHaveBeenCalled();
    const line = { event: 'request.failed', path: route, requestId: expect.any(String), error: 'TypeError' };
    expect(logged.mock.calls).toEqual([[expect.objectContaining(line), 'A request failed']]);
    expect(JSON.stringify(logged.mock.calls)).not.toContain('select secret');
  });
});
