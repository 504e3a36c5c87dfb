// What one person installs and saves is nobody else's: every procedure of plugins, called by another user.
import { pluginKeys } from '@parley/db/tables/tools';
import { appRouter } from '@parley/server/router';
import { createEncryption } from '@parley/server/keys/encryption';
import { readPluginValues } from '@parley/server/plugins/keys';
import { and, eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openTestServices, type Person, type TestServices } from '../../support/services.ts';

let services: TestServices;
let alice: Person;
let bob: Person;

beforeAll(async () => {
  services = await openTestServices();
  alice = await services.as('alice');
  bob = await services.as('bob');
});
afterAll(() => services.close());
beforeEach(async () => {
  await services.deps.db.query.delete(pluginKeys);
  await alice.api.plugins.install({ key: 'google', values: { GOOGLE_CSE_ID: 'engine-of-alice' } });
});

async function hers() {
  const rows = await services.deps.db.query.select().from(pluginKeys).where(eq(pluginKeys.userId, alice.id));
  const { plugins } = await alice.api.auth.me();
  return { rows, plugins };
}

/** The value of a field as this person's plugins get it. */
async function valueOf({ id }: Person, field: string): Promise<string | undefined> {
  const { db, secrets } = services.deps;
  return (await readPluginValues(db, createEncryption(secrets.credsKey, []), id, [field])).get(field);
}

/** Each procedure, as somebody calls it who wants what is hers. */
const attempts: Record<string, () => Promise<unknown>> = {
  'plugins.list': () => bob.api.plugins.list(),
  'plugins.install': () => bob.api.plugins.install({ key: 'google', values: { GOOGLE_CSE_ID: 'engine-of-bob' } }),
  'plugins.uninstall': () => bob.api.plugins.uninstall({ key: 'google', fields: ['GOOGLE_CSE_ID'] }),
};

describe('another user', () => {
  it('is tried with every procedure of plugins', () => {
    const names = Object.keys(appRouter._def.procedures).filter((name) => name.startsWith('plugins.'));
    expect(Object.keys(attempts).toSorted()).toEqual(names.toSorted());
  });

  it('neither sees nor changes what she installed and saved', async () => {
    const before = await hers();
    for (const attempt of Object.values(attempts)) expect(JSON.stringify(await attempt())).not.toContain('alice');
    expect(await hers()).toEqual(before);
    const google = (await bob.api.plugins.list()).find(({ key }) => key === 'google');
    expect(google).toMatchObject({ isInstalled: false, fields: [{ isSaved: false }, { isSaved: false }] });
  });

  it('cannot open her value, even in a row of his own', async () => {
    const { rows } = await hers();
    await services.deps.db.query
      .insert(pluginKeys)
      .values({ userId: bob.id, field: 'GOOGLE_CSE_ID', encrypted: rows[0]?.encrypted ?? '' });
    expect(await valueOf(alice, 'GOOGLE_CSE_ID')).toBe('engine-of-alice');
    expect(await valueOf(bob, 'GOOGLE_CSE_ID')).toBeUndefined();
  });
});

describe('a saved value', () => {
  it('cannot be opened for another field', async () => {
    await services.deps.db.query
      .update(pluginKeys)
      .set({ field: 'GOOGLE_SEARCH_API_KEY' })
      .where(and(eq(pluginKeys.userId, alice.id), eq(pluginKeys.field, 'GOOGLE_CSE_ID')));
    expect(await valueOf(alice, 'GOOGLE_SEARCH_API_KEY')).toBeUndefined();
  });

  it('is never returned, not even to its own user', async () => {
    const list = await alice.api.plugins.list();
    expect(JSON.stringify(list)).not.toContain('engine-of-alice');
    expect(list.find(({ key }) => key === 'google')).toMatchObject({
      isInstalled: true,
      fields: [
        { field: 'GOOGLE_CSE_ID', isSaved: true },
        { field: 'GOOGLE_SEARCH_API_KEY', isSaved: false },
      ],
    });
  });

  it('is replaced by a newer one', async () => {
    await alice.api.plugins.install({ key: 'google', values: { GOOGLE_CSE_ID: 'engine-of-today' } });
    expect(await valueOf(alice, 'GOOGLE_CSE_ID')).toBe('engine-of-today');
    expect((await alice.api.auth.me()).plugins).toEqual(['google']);
  });

  it('stays when two installations come at once', async () => {
    await Promise.all([
      alice.api.plugins.install({ key: 'wolfram', values: { WOLFRAM_APP_ID: 'app-of-alice' } }),
      alice.api.plugins.install({ key: 'calculator' }),
    ]);
    expect((await alice.api.auth.me()).plugins.toSorted()).toEqual(['calculator', 'google', 'wolfram']);
    expect(await valueOf(alice, 'WOLFRAM_APP_ID')).toBe('app-of-alice');
  });
});
