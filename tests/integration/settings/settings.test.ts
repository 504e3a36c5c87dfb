import { SETTINGS, type SettingRow, type StoredSettings } from '@parley/schema/settings/interface';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestServices, type Person, type TestServices } from '../../support/services.ts';
import { follow } from '../convos/follow.ts';

let services: TestServices;
let alice: Person;
let bob: Person;
let carol: Person;

beforeAll(async () => {
  services = await openTestServices();
  alice = await services.as('alice');
  bob = await services.as('bob');
  carol = await services.as('carol');
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

test('every row of the table of settings is kept with the account, until it is its default again', async () => {
  const rows = Object.entries<SettingRow>(SETTINGS);
  const others = Object.fromEntries(rows.map(([name, row]) => [name, otherThanDefault(row)])) as StoredSettings;
  const defaults = Object.fromEntries(rows.map(([name]) => [name, null]));
  expect(await carol.api.settings.set(others)).toEqual(others);
  expect(await carol.api.settings.list()).toEqual(others);
  expect(await carol.api.settings.set(defaults)).toEqual({});
});

test.each([
  { theme: 'pink' },
  { enterToSend: 'yes' },
  { nobodyKnows: true },
  { language: 'x'.repeat(50) },
  { shortcuts: 'newChat' },
])('%j is refused', async (patch) => {
  const before = await alice.api.settings.list();
  await expect(alice.api.settings.set(patch as never)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  expect(await alice.api.settings.list()).toEqual(before);
});

function otherThanDefault(row: SettingRow): boolean | string | undefined {
  switch (row.kind) {
    case undefined:
      return !row.default;
    case 'choice':
      return Object.keys(row.options).find((option) => option !== row.default);
    case 'language':
      return 'de-DE';
    case 'keys':
      return 'newChat=mod+alt+N sidebar=';
    case 'voice':
      return 'voice:alloy';
    default:
      return row satisfies never;
  }
}

test('the tools that new conversations begin with are kept with the account, and checked', async () => {
  const favouriteModels: [string, string][] = [['openAI', 'gpt-4']];
  expect(await carol.api.settings.set({ favouriteModels, recentModels: favouriteModels })).toMatchObject({
    favouriteModels,
    recentModels: favouriteModels,
  });
  // Anyone who takes out the last one has none, not those of another browser.
  expect(await carol.api.settings.set({ favouriteModels: [] })).toMatchObject({ favouriteModels: [] });
  const six = Array.from({ length: 6 }, (_, n): [string, string] => ['openAI', `gpt-${n}`]);
  await expect(carol.api.settings.set({ recentModels: six })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  const defaultTools = ['web_search', 'mcp:notes'];
  expect(await carol.api.settings.set({ defaultTools })).toMatchObject({ defaultTools });
  expect(await carol.api.settings.list()).toMatchObject({ defaultTools });
  const tooMany = Array.from({ length: 65 }, (_, n) => `tool ${n}`);
  await expect(carol.api.settings.set({ defaultTools: tooMany })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  expect(await carol.api.settings.set({ defaultTools: null })).not.toHaveProperty('defaultTools');
});
