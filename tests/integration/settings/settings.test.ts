import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestServices, type Person, type TestServices } from '../../support/services.ts';
import { follow } from '../convos/follow.ts';

let services: TestServices;
let alice: Person;
let bob: Person;

beforeAll(async () => {
  services = await openTestServices();
  alice = await services.as('alice');
  bob = await services.as('bob');
});
afterAll(() => services.close());

test('settings are kept with the account, and its other browsers are told', async () => {
  expect(await alice.api.settings.list()).toEqual({});
  const feed = await follow(services, alice.id);
  await alice.api.settings.set({ theme: 'dark', enterToSend: false });
  expect(await alice.api.settings.set({ textSize: 'large', theme: null })).toEqual({
    textSize: 'large',
    enterToSend: false,
  });
  await feed.until((change) => change.type === 'settings');
  expect(await alice.api.settings.list()).toEqual({ textSize: 'large', enterToSend: false });
  expect(await bob.api.settings.list()).toEqual({});
});

test.each([{ theme: 'pink' }, { enterToSend: 'yes' }, { nobodyKnows: true }, { language: 'x'.repeat(50) }])(
  '%j is refused',
  async (patch) => {
    const before = await alice.api.settings.list();
    await expect(alice.api.settings.set(patch as never)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    expect(await alice.api.settings.list()).toEqual(before);
  },
);
