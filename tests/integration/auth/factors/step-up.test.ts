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

it('asks administrators for each change where they have a second factor, and only then', async () => {
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
