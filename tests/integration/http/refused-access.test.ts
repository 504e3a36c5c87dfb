// What the log says of somebody who asks for what another has.
import type { AddressInfo } from 'node:net';
import { createApp, type App } from '@parley/server/app';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { exchange, question } from '../../support/exchange.ts';
import { openTestServices, type Person, type TestServices } from '../../support/services.ts';

let services: TestServices;
let app: App;
let url: string;
let alice: Person;
let bob: Person;

beforeAll(async () => {
  services = await openTestServices();
  alice = await services.as('alice');
  bob = await services.as('bob');
  const authenticate = async () => ({ userId: bob.id, sid: 'sign-in of bob' });
  app = createApp({ ...services.deps, auth: { ...services.deps.auth, authenticate } }, '');
  await new Promise<void>((resolve) => app.server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await app.close();
  await services.close();
});

it('is a line without content for each way to her data, and what is his own has none', async () => {
  const { convo } = await exchange(services, alice.id, question('For my eyes only'));
  const { convo: own } = await exchange(services, bob.id, question('For his'));
  const logged = vi.spyOn(services.deps.log, 'info');
  const lines = () =>
    logged.mock.calls.flatMap(([line]) => (line && typeof line === 'object' && 'audit' in line ? [line] : []));
  const get = (path: string) => fetch(url + path, { headers: { authorization: 'Bearer a.b.c' } });
  const trpc = (id: string) =>
    get(`/trpc/convos.byId?input=${encodeURIComponent(JSON.stringify({ conversationId: id }))}`);
  expect((await trpc(own.conversationId)).status).toBe(200);
  expect((await get(`/api/convos/${own.conversationId}`)).status).toBe(200);
  expect(lines()).toEqual([]);
  expect((await trpc(convo.conversationId)).status).toBe(404);
  expect((await get(`/api/convos/${convo.conversationId}`)).status).toBe(404);
  expect((await get(`/images/${alice.id}/${convo.conversationId}__a.png`)).status).toBe(403);
  expect((await get(`/api/files/download/${bob.id}/${convo.conversationId}`)).status).toBe(404);
  const refused = { audit: 'access_refused', userId: bob.id };
  expect(lines()).toEqual([
    { ...refused, path: 'convos.byId', what: 'convo' },
    { ...refused, path: 'GET /api/convos/:conversationId', what: 'convo' },
    { ...refused, path: 'GET file', what: 'file' },
    { ...refused, path: 'GET file', what: 'file' },
  ]);
});
