// Sensitive changes ask once more who asks: those of an account, of its keys and of its data, and those of
// administrators who have a second factor.
import { sessions, users } from '@parley/db/tables/users';
import { TRPCClientError } from '@trpc/client';
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { authenticatorCode } from '../../../support/accounts/authenticator-app.ts';
import { openHttpClients, type Browser, type HttpClients } from '../../../support/http-clients.ts';

const PASSWORD = 'correct horse battery';
const KEY = { name: 'Program', scopes: ['chat' as const] };
const BY_PASSWORD = { type: 'step_up_needed', by: 'password', kinds: [] };
const BY_FACTOR = { type: 'step_up_needed', by: 'factor', kinds: ['totp'] };

let clients: HttpClients;
let alice: Browser;

beforeAll(async () => {
  clients = await openHttpClients();
  alice = await clients.signUp('alice');
});
afterAll(() => clients.close());

/** As if they had signed in long ago. */
async function forgetProof({ userId }: Browser): Promise<void> {
  const elevatedUntil = sql`now() - interval '1 second'`;
  await clients.services.deps.db.query.update(sessions).set({ elevatedUntil }).where(eq(sessions.userId, userId));
}

async function reasonOf(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => null,
    (error: unknown) => (error instanceof TRPCClientError ? error.data?.reason : error),
  );
}

async function exportAll({ token }: Browser): Promise<number> {
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(`http://${clients.host}/api/export`, { headers });
  await response.arrayBuffer();
  return response.status;
}

it('makes keys and exports everything just after signing in, then only with the password', async () => {
  const bob = await clients.signUp('bob');
  await bob.api.apiKeys.create.mutate(KEY);
  expect(await exportAll(bob)).toBe(200);
  await forgetProof(bob);
  expect(await reasonOf(bob.api.apiKeys.create.mutate(KEY))).toEqual(BY_PASSWORD);
  expect(await reasonOf(bob.api.auth.stepUp.check.mutate())).toEqual(BY_PASSWORD);
  expect(await exportAll(bob)).toBe(403);
  // Revoking one takes nothing but access away.
  await bob.api.apiKeys.revoke.mutate({ id: (await bob.api.apiKeys.list.query())[0]?.id ?? '' });

  expect(await reasonOf(bob.api.auth.stepUp.prove.mutate({ password: 'something else' }))).toEqual({
    type: 'invalid_credentials',
  });
  expect(await reasonOf(bob.api.auth.stepUp.prove.mutate({}))).toEqual({ type: 'invalid_credentials' });
  expect(await reasonOf(bob.api.apiKeys.create.mutate(KEY))).toEqual(BY_PASSWORD);
  await bob.api.auth.stepUp.prove.mutate({ password: PASSWORD });
  await bob.api.apiKeys.create.mutate(KEY);
  expect(await exportAll(bob)).toBe(200);
});

it('holds for the session that has proven it alone, over its renewals, until the minutes are over', async () => {
  const carol = await clients.signUp('carol');
  const { sid } = (await clients.services.deps.auth.authenticate(carol.token)) ?? { sid: '' };
  await forgetProof(carol);
  const elsewhere = await carol.api.auth.login.mutate({ email: 'carol@example.com', password: PASSWORD });
  expect(elsewhere.token).not.toBe(carol.token);
  expect(await reasonOf(carol.api.apiKeys.create.mutate(KEY))).toEqual(BY_PASSWORD);
  await carol.api.auth.stepUp.prove.mutate({ password: PASSWORD });
  const { query } = clients.services.deps.db;
  const rows = await query.select().from(sessions).where(eq(sessions.family, sid));
  expect(rows.map(({ elevatedBy }) => elevatedBy)).toEqual(['step_up']);
  await carol.api.apiKeys.create.mutate(KEY);
  await forgetProof(carol);
  expect(await reasonOf(carol.api.apiKeys.create.mutate(KEY))).toEqual(BY_PASSWORD);
});

it('asks nothing of an account of another site that has neither a password nor a second factor', async () => {
  const dave = await clients.signUp('dave');
  await forgetProof(dave);
  await clients.services.deps.db.query.update(users).set({ passwordHash: null }).where(eq(users.id, dave.userId));
  await dave.api.apiKeys.create.mutate(KEY);
});

it('asks administrators for each change where they have a second factor', async () => {
  const invite = () => alice.api.admin.people.invite.mutate({ role: 'USER', expiresInDays: 7 });
  await forgetProof(alice);
  await invite();
  await alice.api.auth.stepUp.prove.mutate({ password: PASSWORD });
  const { id, secret } = await alice.api.auth.factors.beginApp.mutate();
  await alice.api.auth.factors.confirmApp.mutate({ id, code: authenticatorCode(secret) });
  await forgetProof(alice);
  expect(await reasonOf(invite())).toEqual(BY_FACTOR);
  await alice.api.admin.people.invitations.query();
  expect(await reasonOf(alice.api.auth.stepUp.prove.mutate({ password: PASSWORD }))).toEqual({ type: 'wrong_code' });
  await alice.api.auth.stepUp.prove.mutate({ code: authenticatorCode(secret, 1) });
  await invite();
});

/**
 * What a stale session of an administrator may not do without a proof. It is asked for before the input is read: the
 * inputs that are cast are never valid, so that nothing is saved.
 */
const SENSITIVE: Readonly<Record<string, (api: Browser['api']['admin'], userId: string) => Promise<unknown>>> = {
  'people.setRole': ({ people }, userId) => people.setRole.mutate({ userId, role: 'USER' }),
  'people.disable': ({ people }, userId) => people.disable.mutate({ userId }),
  'people.enable': ({ people }, userId) => people.enable.mutate({ userId }),
  'people.resetFactors': ({ people }, userId) => people.resetFactors.mutate({ userId }),
  'people.resetLink': ({ people }, userId) => people.resetLink.mutate({ userId }),
  'people.remove': ({ people }, userId) => people.remove.mutate({ userId, canReturn: false }),
  'people.invite': ({ people }) => people.invite.mutate({ role: 'ADMIN', expiresInDays: 7 }),
  'people.create': ({ people }) => people.create.mutate({ email: 'x@example.com', name: 'Xenia', role: 'ADMIN' }),
  'providers.save': ({ providers }) =>
    providers.save.mutate({ kind: 'openAI', name: 'openAI', key: 'key', version: null } as never),
  'tools.saveValues': ({ tools }) => tools.saveValues.mutate({ name: 'google', values: {}, version: null } as never),
  'tools.saveServer': ({ tools }) => tools.saveServer.mutate({ name: 'server', version: null } as never),
  'usage.lines': ({ usage }) => usage.lines.query({} as never),
};

it.each(Object.entries(SENSITIVE))(
  'asks an administrator without a second factor for the password: %s',
  async (name, change) => {
    const short = Object.keys(SENSITIVE).indexOf(name);
    const admin = await clients.signUp(`admin-${short}`);
    const { query } = clients.services.deps.db;
    await query.update(users).set({ role: 'ADMIN' }).where(eq(users.id, admin.userId));
    const target = await clients.signUp(`target-${short}`);
    await forgetProof(admin);
    expect(await reasonOf(change(admin.api.admin, target.userId))).toEqual(BY_PASSWORD);
    await admin.api.auth.stepUp.prove.mutate({ password: PASSWORD });
    expect(await reasonOf(change(admin.api.admin, target.userId))).not.toEqual(BY_PASSWORD);
    // A role that is a user's, and what takes nothing, needs no proof.
    await forgetProof(admin);
    await admin.api.admin.people.invite.mutate({ role: 'USER', expiresInDays: 7 });
    await admin.api.admin.people.endSessions.mutate({ userId: target.userId });
  },
);
