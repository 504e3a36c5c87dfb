// API_KEYS=off: nobody makes keys for programs, and those that were made open nothing.
import { apiKeys } from '@parley/db/tables/users';
import { makeKey } from '@parley/server/api-keys/key-format';
import { expect, test } from 'vitest';
import { openHttpClients } from '../../support/http-clients.ts';

test('no key is made, and one from before opens nothing but is still listed and revoked', async () => {
  const clients = await openHttpClients({ env: { API_KEYS: 'off' } });
  const alice = await clients.signUp('alice');
  const { key, hash, shown } = makeKey();
  await clients.services.deps.db.query
    .insert(apiKeys)
    .values({ userId: alice.userId, name: 'From before', hash, shown, scopes: ['models', 'chat'] });

  expect(await alice.api.endpoints.startup.query()).toMatchObject({ apiKeysEnabled: false });
  await expect(alice.api.apiKeys.create.mutate({ name: 'New', scopes: ['chat'] })).rejects.toMatchObject({
    data: { reason: { type: 'conflict', text: 'Keys for programs are switched off on this server' } },
  });
  for (const headers of [{ authorization: `Bearer ${key}` }, { 'x-api-key': key }])
    for (const path of ['/v1/models', '/v1/chat/completions']) {
      const method = path.endsWith('models') ? 'GET' : 'POST';
      const response = await fetch(`http://${clients.host}${path}`, { method, headers });
      expect([path, response.status]).toEqual([path, 401]);
    }
  // It is no bearer of the app either.
  expect(
    (await fetch(`http://${clients.host}/api/convos`, { headers: { authorization: `Bearer ${key}` } })).status,
  ).toBe(401);
  const [listed] = await alice.api.apiKeys.list.query();
  expect(listed).toMatchObject({ name: 'From before', lastUsedAt: null });
  await alice.api.apiKeys.revoke.mutate({ id: listed?.id ?? '' });
  expect(await alice.api.apiKeys.list.query()).toEqual([]);
  await alice.close();
  await clients.close();
});
