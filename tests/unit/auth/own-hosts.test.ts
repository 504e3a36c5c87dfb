import { createForeignHost } from '@parley/server/platform/requests/own-hosts';
import { loadConfig } from '@parley/server/load-config';
import { describe, expect, it } from 'vitest';

async function isForeign(env: Record<string, string>, headers: Record<string, string>): Promise<boolean> {
  return createForeignHost(await loadConfig({ env, cwd: '/' }))(headers) !== undefined;
}

describe('the names of a site', () => {
  it('are those of a fresh installation: loopback only', async () => {
    expect(await isForeign({}, { host: 'localhost:3080' })).toBe(false);
    expect(await isForeign({}, { host: '192.168.1.20:3080' })).toBe(true);
    expect(await isForeign({}, { host: 'localhost.attacker.example' })).toBe(true);
  });

  it('end with a dot where a client writes them so', async () => {
    expect(await isForeign({ DOMAIN_CLIENT: 'https://chat.example' }, { host: 'chat.example.' })).toBe(false);
  });

  it.each(['', 'a b', '%', '[', 'x:99999999', '://'])('are none in the Host header %j', async (host) => {
    expect(await isForeign({}, { host })).toBe(true);
  });

  it('are not asked of clients that send no Host', async () => {
    expect(await isForeign({}, {})).toBe(false);
  });

  it('come from trusted proxies, and from the nearest one that they vouch for', async () => {
    const env = { DOMAIN_CLIENT: 'https://chat.example', TRUST_PROXY: '1' };
    const host = 'app:3080';
    expect(await isForeign(env, { host, 'x-forwarded-host': 'chat.example' })).toBe(false);
    expect(await isForeign(env, { host, 'x-forwarded-host': 'chat.example, evil.example' })).toBe(true);
    expect(await isForeign(env, { host })).toBe(true);
    expect(await isForeign(env, { host: 'chat.example' })).toBe(false);
  });
});
