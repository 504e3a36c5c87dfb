// A server that is given another CREDS_KEY: what users saved under the old one stays readable as long as that is named.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startFakeProvider } from '@parley/scripts/fake-provider';
import { serve } from '@parley/server/serve';
import { expect, inject, it } from 'vitest';
import { question, send, signUp } from '../../support/rest/client.ts';
import { createTestDatabase } from '../../support/database.ts';

it('a new secret decrypts old keys, and a server with only the old secret is refused', async () => {
  const cwd = mkdtempSync(join(tmpdir(), 'parley-rotation-'));
  const provider = await startFakeProvider();
  const database = await createTestDatabase();
  process.env.PGHOST = inject('database').folder;
  process.env.PGUSER = inject('database').user;
  const start = (secrets: Record<string, string>) =>
    serve({
      cwd,
      env: {
        PORT: '0',
        DATA_DIR: cwd,
        DATABASE_URL: `postgres:///${database.connection.database}`,
        LOG_LEVEL: 'silent',
        OPENAI_API_KEY: 'user_provided',
        OPENAI_REVERSE_PROXY: `${provider.url}/v1`,
        OPENAI_MODELS: 'fake:echo',
        ...secrets,
      },
    });
  const [first, second, third] = ['a', 'b', 'c'].map((digit) => digit.repeat(64)) as [string, string, string];

  const before = await start({ CREDS_KEY: first });
  const alice = await signUp(before.url, 'alice');
  const key = { name: 'openAI', value: '{"apiKey":"sk-hers"}', expiresAt: null };
  expect((await send(before.url, 'PUT', '/api/keys', key, alice.headers)).status).toBe(201);
  await before.close();

  await expect(start({ CREDS_KEY: second })).rejects.toThrow('other secrets');
  await expect(start({ CREDS_KEY: second, CREDS_KEY_OLD: third })).rejects.toThrow('other secrets');
  const after = await start({ CREDS_KEY: second, CREDS_KEY_OLD: `${third}, ${first}` });
  const again = await send(after.url, 'POST', '/api/ask/openAI', question('Still mine?'), alice.headers);
  expect(await again.text()).toContain('"final":true');
  expect(provider.requests.some(({ headers }) => headers.authorization === 'Bearer sk-hers')).toBe(true);
  await after.close();

  await expect(start({ CREDS_KEY: first })).rejects.toThrow('other secrets');
  const settled = await start({ CREDS_KEY: second });
  await settled.close();
  await provider.close();
  await database.drop();
  rmSync(cwd, { recursive: true, force: true });
});
