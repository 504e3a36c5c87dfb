// What administrators change about people, and what keeps them from locking everybody out. Two servers on one database.
import { randomUUID } from 'node:crypto';
import { auditEvents } from '@parley/db/tables/administration';
import { balances } from '@parley/db/tables/balances';
import { factors, passwordResets, sessions, users } from '@parley/db/tables/users';
import { createUser, findUser, findUserByEmail } from '@parley/server/auth/users';
import { errorReason } from '@parley/server/http/trpc';
import { createCaller, type Api } from '@parley/server/router';
import { createServices, type Services } from '@parley/server/services';
import { desc, eq, inArray, like, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { question, untilText } from '../../support/exchange.ts';
import { openTestServices, type Person, type TestServices } from '../../support/services.ts';

let services: TestServices;
let neighbour: Services;
let alice: Person;

beforeAll(async () => {
  services = await openTestServices({
    OPENAI_MODELS: 'gpt-4,fake:never-ending',
    CHECK_BALANCE: 'true',
    LOGIN_MAX: '1000',
  });
  const { config, secrets, db, log } = services.deps;
  neighbour = await createServices({ config, secrets, db, log, demo: null });
  alice = await services.as('alice', 'ADMIN');
});
afterAll(async () => {
  await neighbour.close();
  await services.close();
});

const PASSWORD = 'nine green bottles';
const http = { headers: new Headers(), ip: '203.0.113.9', setHeader() {}, secure: false };

/** Who is signed in nowhere. */
function visitor({ deps }: { deps: Services['deps'] } = services): Api {
  return createCaller({ deps, http, socket: null, token: null, signedIn: null });
}

const login = (email: string, at: { deps: Services['deps'] } = services) =>
  visitor(at).auth.login({ email, password: PASSWORD });

async function reasonOf(call: Promise<unknown>) {
  return call.then(
    () => null,
    (error: Error) => errorReason(error),
  );
}

/** Somebody with a password, signed in. */
async function join(name: string, role: 'USER' | 'ADMIN' = 'USER') {
  const email = `${name}@example.com`;
  const { userId } = await alice.api.admin.people.create({ email, name, role, password: PASSWORD });
  const { token } = await login(email);
  const signedIn = await services.deps.auth.authenticate(token);
  const api = createCaller({ deps: services.deps, http, socket: null, token, signedIn });
  return { id: userId, email, token, api };
}

async function lastEvent(userId: string) {
  const [row] = await services.deps.db.query
    .select()
    .from(auditEvents)
    .where(eq(auditEvents.userId, userId))
    .orderBy(desc(auditEvents.id))
    .limit(1);
  return row;
}

const rowOf = (id: string) => findUser(services.deps.db, id);

describe('disabling', () => {
  it('ends sessions in all processes at once, and says why only after the right password', async () => {
    const bea = await join('beatrice');
    expect(await neighbour.deps.auth.authenticate(bea.token)).not.toBeNull();
    await alice.api.admin.people.disable({ userId: bea.id });
    expect(await services.deps.auth.authenticate(bea.token)).toBeNull();
    await expect.poll(() => neighbour.deps.auth.authenticate(bea.token)).toBeNull();
    expect(await services.deps.db.query.select().from(sessions).where(eq(sessions.userId, bea.id))).toEqual([]);
    for (const at of [services, neighbour])
      expect(await reasonOf(login(bea.email, at))).toEqual({ type: 'account_disabled' });
    const wrong = visitor().auth.login({ email: bea.email, password: 'ten green bottles' });
    expect(await reasonOf(wrong)).toEqual({ type: 'invalid_credentials' });
    expect(await lastEvent(bea.id)).toMatchObject({
      event: 'person.disabled',
      actorId: alice.id,
      details: { name: 'beatrice', email: bea.email },
    });
    await alice.api.admin.people.enable({ userId: bea.id });
    expect((await login(bea.email)).user.id).toBe(bea.id);
    expect(await lastEvent(bea.id)).toMatchObject({ event: 'person.enabled' });
  });

  it('grants nothing by a session that is older, and opens none by a new password', async () => {
    const ben = await join('benjamin');
    // As a lost notification and an earlier version would leave it.
    await services.deps.db.query.update(users).set({ state: 'disabled' }).where(eq(users.id, ben.id));
    expect(await neighbour.deps.auth.authenticate(ben.token)).toBeNull();
    const { link } = await alice.api.admin.people.resetLink({ userId: ben.id });
    const query = new URL(link).searchParams;
    const chosen = { password: PASSWORD, confirm_password: PASSWORD };
    await visitor().auth.resetPassword({ userId: ben.id, token: query.get('token') ?? '', ...chosen });
    expect(await reasonOf(login(ben.email))).toEqual({ type: 'account_disabled' });
  });

  it('stops answers that run', async () => {
    const person = await services.as('carol');
    await services.deps.db.query.insert(balances).values({ userId: person.id, credits: 1_000_000 });
    const asking = question('At length', { model: 'fake:never-ending' });
    await person.api.messages.ask(asking);
    await untilText(services, person.id, asking.generationId);
    await alice.api.admin.people.disable({ userId: person.id });
    await expect.poll(async () => (await convoOf(person.id))?.running).toBeNull();
    expect(await reasonOf(person.api.messages.ask(question('More', { model: 'gpt-4' })))).toEqual({
      type: 'unauthorized',
    });
  });

  it('leaves the account open when only the sessions end', async () => {
    const cora = await join('cora');
    await alice.api.admin.people.endSessions({ userId: cora.id });
    expect(await services.deps.auth.authenticate(cora.token)).toBeNull();
    expect((await login(cora.email)).user.id).toBe(cora.id);
    expect(await lastEvent(cora.id)).toMatchObject({ event: 'person.signed_out' });
  });
});

describe('a second factor', () => {
  it('is removed by an administrator, whom the log names, and the password signs in alone', async () => {
    const cleo = await join('cleo');
    const { query } = services.deps.db;
    await query.insert(factors).values({ userId: cleo.id, kind: 'totp', encrypted: 'x', confirmedAt: sql`now()` });
    expect(await reasonOf(login(cleo.email))).toMatchObject({ type: 'factor_needed' });
    const { people } = await alice.api.admin.people.list({ query: 'cleo' });
    expect(people).toMatchObject([{ id: cleo.id, hasSecondFactor: true }]);
    await alice.api.admin.people.resetFactors({ userId: cleo.id });
    expect((await login(cleo.email)).user.id).toBe(cleo.id);
    expect(await lastEvent(cleo.id)).toMatchObject({ event: 'person.factors_removed' });
    await alice.api.admin.people.resetFactors({ userId: cleo.id });
    const events = await query.select().from(auditEvents).where(eq(auditEvents.userId, cleo.id));
    expect(events.filter(({ event }) => event === 'person.factors_removed')).toHaveLength(1);
  });
});

async function convoOf(userId: string) {
  const [row] = await services.deps.db.sql<{ running: string | null }[]>`
    select running from convos where user_id = ${userId}`;
  return row;
}

describe('roles', () => {
  it('are given and taken, with an event', async () => {
    const dora = await join('dora');
    await alice.api.admin.people.setRole({ userId: dora.id, role: 'ADMIN' });
    expect((await dora.api.admin.people.list({})).people.length).toBeGreaterThan(0);
    expect(await lastEvent(dora.id)).toMatchObject({ event: 'person.role_changed', details: { role: 'ADMIN' } });
    await alice.api.admin.people.setRole({ userId: dora.id, role: 'USER' });
    expect(await reasonOf(dora.api.admin.people.list({}))).toEqual({ type: 'forbidden' });
  });

  it("and state can't be changed by oneself", async () => {
    const { people } = alice.api.admin;
    const userId = alice.id;
    for (const call of [
      () => people.setRole({ userId, role: 'USER' }),
      () => people.disable({ userId }),
      () => people.remove({ userId, canReturn: false }),
      () => people.endSessions({ userId }),
    ])
      expect(await reasonOf(call())).toEqual({ type: 'own_account' });
    expect(await rowOf(userId)).toMatchObject({ role: 'ADMIN', state: 'active', deletionDueAt: null });
  });

  it('of the last administrator stay, whatever twenty do to each other at once', async () => {
    const names = Array.from({ length: 20 }, (_, n) => `ring${n}`);
    const ring = await Promise.all(names.map((name) => addAdministrator(name)));
    // So that the twenty are all there are.
    await services.deps.db.query.update(users).set({ role: 'USER' }).where(eq(users.id, alice.id));
    const acts = [
      (api: Api, userId: string) => api.admin.people.setRole({ userId, role: 'USER' }),
      (api: Api, userId: string) => api.admin.people.disable({ userId }),
      (api: Api, userId: string) => api.admin.people.remove({ userId, canReturn: false }),
    ];
    const outcomes = await Promise.allSettled(
      ring.map(({ api }, n) => (acts[n % acts.length] ?? acts[0])?.(api, ring[(n + 1) % ring.length]?.id ?? '')),
    );
    const left = await services.deps.db.query
      .select()
      .from(users)
      .where(sql`${users.role} = 'ADMIN' and ${users.state} = 'active' and ${users.deletionDueAt} is null`);
    expect(left.length).toBeGreaterThan(0);
    const refused = outcomes.filter(({ status }) => status === 'rejected');
    expect(left).toHaveLength(refused.length);
    await services.deps.db.query.update(users).set({ role: 'ADMIN' }).where(eq(users.id, alice.id));
    await services.deps.db.query.delete(users).where(like(users.email, 'ring%'));
  });

  it('of the last administrator keep even their own account', async () => {
    const { api, email } = await join('lastone', 'ADMIN');
    await services.deps.db.query.update(users).set({ role: 'USER' }).where(eq(users.id, alice.id));
    await api.auth.stepUp.prove({ password: PASSWORD });
    expect(await reasonOf(api.auth.deleteAccount({ confirmation: email }))).toEqual({ type: 'last_administrator' });
    await services.deps.db.query.update(users).set({ role: 'ADMIN' }).where(eq(users.id, alice.id));
    await api.auth.deleteAccount({ confirmation: email });
    expect((await findUserByEmail(services.deps.db, email))?.deletionDueAt).not.toBeNull();
  });
});

async function addAdministrator(name: string) {
  const user = await createUser(services.deps.db, { email: `${name}@example.com`, name, role: 'ADMIN' });
  const signedIn = { userId: user?.id ?? '', sid: randomUUID() };
  // Half of them at the other server.
  const { deps } = name.endsWith('5') ? neighbour : services;
  return { id: user?.id ?? '', api: createCaller({ deps, http: null, socket: null, token: null, signedIn }) };
}

describe('deleting', () => {
  it('is due in seven days, signs out, and is taken back by an administrator', async () => {
    const emil = await join('emil');
    const { dueAt } = (await alice.api.admin.people.remove({ userId: emil.id, canReturn: false })) ?? {};
    const days = (new Date(dueAt ?? 0).getTime() - Date.now()) / 86_400_000;
    expect(Math.round(days)).toBe(7);
    expect(await services.deps.auth.authenticate(emil.token)).toBeNull();
    expect(await reasonOf(login(emil.email))).toEqual({ type: 'account_disabled' });
    await alice.api.admin.people.enable({ userId: emil.id });
    expect(await rowOf(emil.id)).toMatchObject({ state: 'active', deletionDueAt: null });
    expect((await login(emil.email)).isRestored).toBeUndefined();
  });

  it('is taken back by the person where that is left to them', async () => {
    const emma = await join('emma');
    await alice.api.admin.people.remove({ userId: emma.id, canReturn: true });
    expect((await login(emma.email)).isRestored).toBe(true);
    expect(await rowOf(emma.id)).toMatchObject({ state: 'active', deletionDueAt: null });
  });
});

describe('making an account', () => {
  it('gives a link that works once when there is no password', async () => {
    const made = await alice.api.admin.people.create({ email: 'Fay@Example.com', name: 'Fay', role: 'USER' });
    const query = new URL(made.link ?? '').searchParams;
    expect(query.get('userId')).toBe(made.userId);
    const choice = { userId: made.userId, token: query.get('token') ?? '', password: PASSWORD };
    await visitor().auth.resetPassword(choice);
    expect(await reasonOf(visitor().auth.resetPassword(choice))).toEqual({ type: 'invalid_reset_token' });
    expect((await login('fay@example.com')).user).toMatchObject({ name: 'Fay', role: 'USER' });
    const event = await lastEvent(made.userId);
    expect(event).toMatchObject({ event: 'person.created', details: { email: 'fay@example.com', role: 'USER' } });
  });

  it('is refused for a taken address and a common password', async () => {
    const { people } = alice.api.admin;
    await people.create({ email: 'gus@example.com', name: 'Gus', role: 'USER' });
    expect(await reasonOf(people.create({ email: 'gus@example.com', name: 'Gus', role: 'USER' }))).toMatchObject({
      type: 'conflict',
    });
    const common = people.create({ email: 'gil@example.com', name: 'Gil', role: 'USER', password: 'password1' });
    expect(await reasonOf(common)).toMatchObject({ type: 'invalid_input' });
    expect(await findUserByEmail(services.deps.db, 'gil@example.com')).toBeUndefined();
  });

  it('and a reset link leave no token in the table, the log of events or an answer but the own', async () => {
    const hal = await join('hal');
    const { link, minutes } = await alice.api.admin.people.resetLink({ userId: hal.id });
    const token = new URL(link).searchParams.get('token') ?? '';
    expect(minutes).toBe(30);
    const events = JSON.stringify(await services.deps.db.query.select().from(auditEvents));
    const resets = JSON.stringify(await services.deps.db.query.select().from(passwordResets));
    const listed = JSON.stringify(await alice.api.admin.people.list({ query: 'hal' }));
    for (const text of [events, resets, listed]) {
      expect(text).not.toContain(token);
      expect(text).not.toContain('argon2');
    }
    expect(await lastEvent(hal.id)).toMatchObject({ event: 'person.reset_link_made' });
  });
});

describe('credits', () => {
  it('are added as by the command', async () => {
    const ida = await join('ida');
    expect(await alice.api.admin.people.addBalance({ userId: ida.id, credits: 2_500 })).toEqual({ balance: 2_500 });
    const { people } = await alice.api.admin.people.list({ query: 'ida' });
    expect(people).toMatchObject([{ id: ida.id, balance: 2_500 }]);
    expect(await lastEvent(ida.id)).toMatchObject({ event: 'person.balance_added', details: { credits: 2_500 } });
  });
});

describe('the list', () => {
  it('is found by the beginnings of words, in the order of the addresses, page by page', async () => {
    const rows = Array.from({ length: 120 }, (_, n) => ({
      email: `walker${String(n).padStart(3, '0')}@firm.example`,
      name: `Zoë Walker-${n}`,
    }));
    await services.deps.db.query.insert(users).values(rows);
    const { people } = alice.api.admin;
    const found: string[] = [];
    let after: string | undefined;
    do {
      const page = await people.list({ query: 'zoë WALK', cursor: after });
      found.push(...page.people.map(({ email }) => email));
      after = page.next ?? undefined;
    } while (after);
    expect(found).toEqual(rows.map(({ email }) => email));
    expect((await people.list({ query: 'walker007' })).people).toMatchObject([
      { name: 'Zoë Walker-7', state: 'active' },
    ]);
    expect((await people.list({ query: 'firm.exam walker-119' })).people).toHaveLength(1);
    for (const query of ["'); drop table users; --", ':*', '!!', '\\', "o'brien"])
      expect((await people.list({ query })).people.length).toBeGreaterThanOrEqual(0);
    await services.deps.db.query.delete(users).where(like(users.email, 'walker%'));
  });

  it('has what an account is, and nothing of what it contains', async () => {
    const jo = await join('joanna');
    await jo.api.drafts.list().catch(() => undefined);
    const { people } = await alice.api.admin.people.list({ query: 'joanna' });
    expect(people).toEqual([
      {
        id: jo.id,
        name: 'joanna',
        email: jo.email,
        provider: 'local',
        role: 'USER',
        state: 'active',
        createdAt: expect.stringMatching(/Z$/),
        lastSeenAt: expect.stringMatching(/Z$/),
        deletionDueAt: null,
        hasSecondFactor: false,
        balance: 0,
      },
    ]);
  });

  it('has those who wait first, who waited longest before', async () => {
    await services.deps.db.query.insert(users).values([
      { email: 'late@example.com', name: 'Late', state: 'waiting', createdAt: '2030-01-02T00:00:00Z' },
      { email: 'soon@example.com', name: 'Soon', state: 'waiting', createdAt: '2030-01-01T00:00:00Z' },
    ]);
    const waiting = await alice.api.admin.people.list({ isWaiting: true });
    expect(waiting.people.map(({ name }) => name)).toEqual(['Soon', 'Late']);
    for (const { id } of waiting.people) await alice.api.admin.people.approve({ userId: id });
    expect((await alice.api.admin.people.list({ isWaiting: true })).people).toEqual([]);
    const approved = await services.deps.db.query
      .select()
      .from(auditEvents)
      .where(
        inArray(
          auditEvents.userId,
          waiting.people.map(({ id }) => id),
        ),
      );
    expect(approved.map(({ event }) => event)).toEqual(['person.approved', 'person.approved']);
  });
});
