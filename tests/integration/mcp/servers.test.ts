// Servers that users add.
import { mcpServers, mcpTools, toolGrants } from '@parley/db/tables/tools';
import { users } from '@parley/db/tables/users';
import { startFakeMcpServer, type FakeMcpServer } from '@parley/scripts/fake-tools/mcp-server';
import { grantTool } from '@parley/server/tools/grants';
import { errorReason } from '@parley/server/http/trpc';
import { createServices } from '@parley/server/services';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { choosing, toolOf } from '../../support/tools/tool-run.ts';
import { openMcp, type OpenMcp } from './open-mcp.ts';

const SECRET = 'Bearer very-secret';

let fake: FakeMcpServer;
let other: FakeMcpServer;
let mcp: OpenMcp;

beforeAll(async () => {
  fake = await startFakeMcpServer({ auth: { type: 'header', name: 'Authorization', value: SECRET } });
  other = await startFakeMcpServer();
  mcp = await openMcp({ shared: { url: other.url } }, { EGRESS_ALLOWED_HOSTS: `${fake.host},${other.host}` });
});
afterAll(async () => {
  await mcp.close();
  await fake.close();
  await other.close();
});

const header = { name: 'Authorization', value: SECRET };
function createGate() {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
}

const reasonIn = (call: Promise<unknown>) => call.then(() => null, errorReason);
const missing = { type: 'not_found', what: 'mcp_server' };

describe('a server of a user', () => {
  it('is asked with its header, which is encrypted and never returned', async () => {
    const { api, id: userId } = mcp.alice;
    const added = await api.mcp.add({ name: 'Mail', url: fake.url, auth: 'header', header });
    expect(added).toMatchObject({ name: 'Mail', url: fake.url, isShared: false, isEnabled: true, reason: null });
    expect(added.tools.map(({ name }) => name)).toContain('echo');
    const [row] = await mcp.services.deps.db.query.select().from(mcpServers).where(eq(mcpServers.id, added.id));
    expect(JSON.stringify([row, await api.mcp.list(), added])).not.toContain('very-secret');
    expect(await mcp.call(mcp.alice, added.id, 'mcp_Mail_echo', { text: 'hi' })).toMatchObject({ text: 'hi' });
    const chosen = choosing(userId, [`mcp:${added.id}`]);
    const tool = await toolOf(mcp.services.deps.mcp.source, chosen, 'mcp_Mail_add');
    expect(tool).toMatchObject({ asks: 'first', isRepeatable: false });
    const keys = (await mcp.services.deps.mcp.source.list(userId)).map(({ key }) => key);
    expect(keys).toEqual(['mcp:shared', `mcp:${added.id}`]);
  });

  it('keeps its header while its host stays, and never sends it to another', async () => {
    const { api } = mcp.alice;
    const { id } = await api.mcp.add({ name: 'Moving', url: fake.url, auth: 'header', header });
    expect(await api.mcp.update({ id, name: 'Moved' })).toMatchObject({ name: 'Moved', reason: null });
    expect(await reasonIn(api.mcp.update({ id, url: other.url }))).toMatchObject({ type: 'invalid_input' });
    await mcp.services.deps.db.query.update(mcpServers).set({ url: other.url }).where(eq(mcpServers.id, id));
    await api.mcp.refresh({ id });
    expect(other.headers.filter(({ authorization }) => authorization === SECRET)).toEqual([]);
    await api.mcp.remove({ id });
  });

  it('can be switched off', async () => {
    const { api } = mcp.alice;
    const { id } = await api.mcp.add({ name: 'Off', url: other.url, auth: 'none' });
    await api.mcp.update({ id, isEnabled: false });
    expect(await mcp.toolsOf(mcp.alice, id)).toEqual({ names: [], problems: ['Off is switched off.'] });
    await api.mcp.remove({ id });
  });

  it('leaves nothing when it is removed', async () => {
    const { api, id: userId } = mcp.alice;
    const { query } = mcp.services.deps.db;
    const { id } = await api.mcp.add({ name: 'Gone', url: other.url, auth: 'none' });
    const tool = await toolOf(mcp.services.deps.mcp.source, choosing(userId, [`mcp:${id}`]), 'mcp_Gone_echo');
    await grantTool(query, userId, tool);
    await api.mcp.remove({ id });
    expect(await query.select().from(toolGrants)).toEqual([]);
    expect(await query.select().from(mcpTools).where(eq(mcpTools.server, id))).toEqual([]);
    expect(await mcp.toolsOf(mcp.alice, id)).toMatchObject({ problems: ['This tool server no longer exists.'] });
  });

  it.each(['removed', 'moved'])('that is %s keeps nothing of a list that comes later', async (how) => {
    const { api, id: userId } = mcp.alice;
    const { config, secrets, db, log } = mcp.services.deps;
    const { id } = await api.mcp.add({ name: 'Going', url: other.url, auth: 'none' });
    const [asked, listed] = [createGate(), createGate()];
    other.beforeListing = async () => {
      asked.open();
      await listed.opened;
    };
    const refreshing = api.mcp.refresh({ id });
    await asked.opened;
    // By another process, which leaves the connection of this one open.
    const neighbour = await createServices({ config, secrets, db, log, demo: null });
    if (how === 'removed') await neighbour.deps.mcp.remove(userId, id);
    else await neighbour.deps.mcp.update(userId, { id, url: fake.url, auth: 'header', header });
    const keptNow = () => db.query.select().from(mcpTools).where(eq(mcpTools.server, id));
    const kept = await keptNow();
    listed.open();
    await refreshing;
    expect(await keptNow()).toEqual(kept);
    expect(kept).toHaveLength(how === 'removed' ? 0 : 1);
    other.beforeListing = async () => undefined;
    await neighbour.deps.mcp.remove(userId, id).catch(() => undefined);
    await neighbour.close();
  });

  it('must be at an address that may be called', async () => {
    const { api } = mcp.alice;
    const add = (url: string) => reasonIn(api.mcp.add({ name: 'Inside', url, auth: 'none' }));
    for (const url of ['http://127.0.0.1:5432/', 'https://169.254.169.254/mcp', 'http://example.com/mcp'])
      expect(await add(url)).toMatchObject({ type: 'forbidden_base_url' });
    for (const url of ['file:///etc/passwd', 'nowhere']) expect(await add(url)).not.toBeNull();
  });

  it('is one of at most twenty', async () => {
    const { api, id: userId } = mcp.bob;
    const rows = Array.from({ length: 20 }, (_, n) => ({
      userId,
      id: crypto.randomUUID(),
      name: `Server ${n}`,
      url: other.url,
      auth: 'none' as const,
    }));
    await mcp.services.deps.db.query.insert(mcpServers).values(rows);
    expect(await reasonIn(api.mcp.add({ name: 'One more', url: other.url, auth: 'none' }))).toMatchObject({
      type: 'conflict',
    });
    await mcp.services.deps.db.query.delete(mcpServers).where(eq(mcpServers.userId, userId));
  });
});

describe('a server of another user, or of the operator', () => {
  it('cannot be read or changed', async () => {
    const { id } = await mcp.alice.api.mcp.add({ name: 'Hers', url: other.url, auth: 'none' });
    const { api } = mcp.bob;
    const attempts = [
      () => api.mcp.update({ id, name: 'His' }),
      () => api.mcp.remove({ id }),
      () => api.mcp.refresh({ id }),
      () => api.mcp.setTools({ id, tools: ['echo'], isOn: false }),
      () => api.mcp.signIn({ id }),
      () => api.mcp.signOut({ id }),
    ];
    for (const attempt of attempts) expect(await reasonIn(attempt())).toEqual(missing);
    expect((await api.mcp.list()).map((server) => server.id)).toEqual(['shared']);
    expect(await mcp.toolsOf(mcp.bob, id)).toMatchObject({ names: [] });
    expect(await reasonIn(api.mcp.update({ id: 'shared', name: 'His' }))).toEqual(missing);
    expect(await reasonIn(api.mcp.remove({ id: 'shared' }))).toEqual(missing);
  });
});

it('the address of a server of the operator is told to administrators only', async () => {
  const { db } = mcp.services.deps;
  const { api, id } = mcp.bob;
  const seen = async () => [...(await api.mcp.list()), await api.mcp.refresh({ id: 'shared' })];
  expect((await seen()).map(({ url, isShared }) => [url, isShared])).toEqual([
    ['', true],
    ['', true],
  ]);
  expect(JSON.stringify([await seen(), await api.tools.list()])).not.toContain(other.host);
  await db.query.update(users).set({ role: 'ADMIN' }).where(eq(users.id, id));
  expect((await seen()).map(({ url }) => url)).toEqual([other.url, other.url]);
});

describe('where users may not add servers', () => {
  it('they cannot, and those that they had are gone', async () => {
    const strict = await openMcp({ shared: { url: other.url } }, { MCP_USER_SERVERS: 'off' });
    const { api, id } = strict.alice;
    expect(await api.mcp.canAdd()).toBe(false);
    expect(await reasonIn(api.mcp.add({ name: 'Mine', url: other.url, auth: 'none' }))).toEqual({ type: 'forbidden' });
    const row = { userId: id, id: crypto.randomUUID(), name: 'Former', url: other.url, auth: 'none' as const };
    await strict.services.deps.db.query.insert(mcpServers).values(row);
    expect((await api.mcp.list()).map(({ name }) => name)).toEqual(['shared']);
    expect(await strict.toolsOf(strict.alice, row.id)).toMatchObject({ names: [] });
    await strict.close();
  });
});
