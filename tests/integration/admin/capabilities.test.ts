// What a person can do ends with the right that it rests on: each row of the table, at each event.
import { randomUUID } from 'node:crypto';
import { identities, users } from '@parley/db/tables/users';
import { disable, removePerson, setRole } from '@parley/server/admin/people/change-person';
import { CAPABILITIES, type RightEvent } from '@parley/server/auth/capabilities';
import { createResetLink, isResetValid } from '@parley/server/auth/reset/reset-links';
import { errorReason } from '@parley/server/http/trpc';
import { createCaller, type Api } from '@parley/server/router';
import { and, eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startLdapServer, type LdapServer } from '../../support/accounts/ldap-server.ts';
import { createSoftwarePasskey } from '../../support/accounts/software-passkey.ts';
import { exchange, question } from '../../support/exchange.ts';
import { openTestServices, type Person, type TestServices } from '../../support/services.ts';
import { startToolServers, toolCapabilities } from './tool-capabilities.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

type Capability = keyof typeof CAPABILITIES;

const PASSWORD = 'nine green bottles';
const LIMITS = { LOGIN_MAX: '1000', REGISTER_MAX: '1000', RESET_MAX: '1000' };
const ASSISTANTS = {
  ASSISTANTS_API_KEY: 'key',
  ASSISTANTS_BASE_URL: '${FAKE_PROVIDER}/v1',
  ASSISTANTS_MODELS: 'fake:echo,fake:tool-steps',
};
/** Only for a group. */
const GROUP_MODEL = 'gpt-4';
const http = { headers: new Headers(), ip: '203.0.113.9', setHeader() {}, secure: false };
const NAMES = Object.keys(CAPABILITIES) as Capability[];

let directory: LdapServer;
let toolServers: Awaited<ReturnType<typeof startToolServers>>;
let groupId: string;
let services: TestServices;
let alice: Person;
let erin: Person;

beforeAll(async () => {
  directory = await startLdapServer();
  toolServers = await startToolServers();
  services = await openTestServices({ ...LIMITS, ...ASSISTANTS, ...directory.env, ...toolServers.env });
  alice = await services.as('alice', 'ADMIN');
  erin = await services.as('erin');
  await services.deps.db.sql`insert into facts (name, value) values ('first_user', ${alice.id})`;
  const { groups, access } = alice.api.admin;
  groupId = (await groups.create({ name: 'Readers' })).id;
  const models = [{ model: GROUP_MODEL, groupIds: [groupId] }];
  await access.set({ endpoint: 'openAI', groupIds: null, models, version: null });
});
afterAll(async () => {
  await services.close();
  await toolServers.close();
  await directory.close();
});

function visitor(cookies: string[] = []): Api {
  const setHeader = (name: string, value: string) => name.toLowerCase() === 'set-cookie' && cookies.push(value);
  const answered = { ...http, setHeader };
  return createCaller({ deps: services.deps, http: answered, socket: null, token: null, signedIn: null });
}

async function isLetThrough(call: Promise<unknown>): Promise<boolean> {
  return call.then(
    () => true,
    (error: Error) => {
      if (!errorReason(error)) throw error;
      return false;
    },
  );
}

/** A local administrator, or one of the directory, who has just signed in. */
async function administrator(name: string, isOfDirectory: boolean) {
  const email = `${name}@example.com`;
  if (isOfDirectory)
    directory.people.set(`uid=${name}`, { password: PASSWORD, attributes: { uid: name, mail: email, cn: name } });
  else await alice.api.admin.people.create({ email, name, role: 'ADMIN', password: PASSWORD });
  const cookies: string[] = [];
  const login = () => visitor(cookies).auth.login({ email: isOfDirectory ? name : email, password: PASSWORD });
  const { token, user } = await login();
  await services.deps.db.query.update(users).set({ role: 'ADMIN' }).where(eq(users.id, user.id));
  const signedIn = await services.deps.auth.authenticate(token);
  const api = createCaller({ deps: services.deps, http, socket: null, token, signedIn });
  return { id: user.id, name, token, cookie: cookies[0]?.split(';')[0] ?? '', api, login };
}
type Administrator = Awaited<ReturnType<typeof administrator>>;

function redeemReset(link: string) {
  const { searchParams } = new URL(link);
  const claim = { userId: searchParams.get('userId') ?? '', token: searchParams.get('token') ?? '' };
  return visitor().auth.resetPassword({ ...claim, password: PASSWORD, confirm_password: PASSWORD });
}

async function linkForAnother({ api }: Pick<Administrator, 'api'>): Promise<string> {
  const email = `${randomUUID()}@example.com`;
  const { link } = await api.admin.people.create({ email, name: 'Somebody', role: 'USER' });
  return link ?? '';
}

async function invitationBy({ api }: Pick<Administrator, 'api'>): Promise<string> {
  const { link } = await api.admin.people.invite({ email: null, role: 'ADMIN', expiresInDays: 1 });
  return new URL(link).searchParams.get('invitation') ?? '';
}

function register(invitation: string) {
  const email = `${randomUUID()}@example.com`;
  const form = { name: 'Somebody', email, password: PASSWORD, confirm_password: PASSWORD };
  return visitor().auth.register({ ...form, invitation });
}

/** For each capability a question whether it works. What works once is made for each time that it is asked. */
async function everythingOf(person: Administrator): Promise<Record<Capability, () => Promise<boolean>>> {
  const { api, id, token } = person;
  const { deps } = services;
  const { convo } = await exchange(services, id, question('Hello'));
  const share = await api.shares.create({ conversationId: convo.conversationId, leafId: null });
  const { assistantId } = await api.assistants.create({ name: 'Poet', model: 'fake:echo', isShared: true });
  const prompt = randomUUID();
  await api.prompts.save({ id: prompt, command: 'report', title: 'Report', body: 'Report.', tags: [] });
  await api.prompts.share({ id: prompt, isShared: true });
  const folder = await api.folders.create({ id: randomUUID(), name: 'Mill' });
  await api.folders.setAccess({ id: folder.id, to: { to: 'everyone' }, level: 'use' });
  const { key } = await api.apiKeys.create({ name: 'Program', scopes: ['chat'] });
  const passkey = createSoftwarePasskey();
  const { passkeys } = api.auth;
  await passkeys.add({ attestation: passkey.attestation(await passkeys.begin()) });
  await alice.api.admin.groups.addMember({ groupId, userId: id });
  const links = [await linkForAnother(person), await linkForAnother(person), await linkForAnother(person)];
  const invitations = [await invitationBy(person), await invitationBy(person), await invitationBy(person)];
  const tickets = [await ticketOf(person), await ticketOf(person), await ticketOf(person)];
  const own = new URL(await createResetLink(deps.db, deps.config.server, id, { mailed: true })).searchParams;
  const next = (made: string[]) => made.pop() ?? '';
  return {
    session: async () => (await deps.auth.authenticate(token)) !== null,
    signInTicket: () => isLetThrough(provePasskey(next(tickets))),
    resetLink: () => isResetValid(deps.db, { userId: id, token: own.get('token') ?? '' }),
    invitation: () => isLetThrough(register(next(invitations))),
    resetLinkForOthers: () => isLetThrough(redeemReset(next(links))),
    administration: () => isLetThrough(api.admin.people.list({ query: '' })),
    apiKey: async () => (await deps.keyHolders.find(key)) !== null,
    passkey: async () => {
      const options = await visitor().auth.passkeys.options();
      return isLetThrough(visitor().auth.passkeys.signIn({ assertion: passkey.assertion(options) }));
    },
    asking: () => isLetThrough(api.messages.ask(question('Again'))),
    groupMembership: () => isLetThrough(api.messages.ask(question('Together', { model: GROUP_MODEL }))),
    ...(await toolCapabilities(toolServers, { services, reader: erin, isLetThrough }, person, 3)),
    shareLink: () => isLetThrough(visitor().shares.read({ id: share.id })),
    sharedAssistant: async () => (await erin.api.assistants.shared()).some((one) => one.assistantId === assistantId),
    sharedPrompt: () => isLetThrough(erin.api.prompts.read({ ownerId: id, id: prompt })),
    sharedFolder: async () => (await erin.api.folders.shared()).some(({ folderId }) => folderId === folder.id),
  };

  async function provePasskey(ticket: string) {
    const options = await visitor().auth.factors.options({ ticket });
    return visitor().auth.factors.prove({ ticket, assertion: passkey.assertion(options) });
  }
}

async function ticketOf({ login }: Administrator): Promise<string> {
  const reason = await login().then(
    () => null,
    (error: Error) => errorReason(error),
  );
  if (reason?.type !== 'factor_needed') throw new Error('No second step');
  return reason.ticket;
}

async function whatWorks(all: Record<Capability, () => Promise<boolean>>): Promise<Record<string, boolean>> {
  const works: Record<string, boolean> = {};
  for (const name of NAMES) works[name] = await all[name]();
  return works;
}

function table(cell: (effect: 'ends' | 'rests' | 'stays') => boolean, event: RightEvent): Record<string, boolean> {
  return Object.fromEntries(NAMES.map((name) => [name, cell(CAPABILITIES[name][event])]));
}

const EVENTS: Record<RightEvent, (person: Administrator) => Promise<unknown>> = {
  disabled: ({ id }) => disable(office(), id),
  demoted: ({ id }) => setRole(office(), id, 'USER'),
  removed: ({ id }) => removePerson(office(), id, false),
  async left_directory({ id, name }) {
    directory.people.delete(`uid=${name}`);
    await services.deps.db.query
      .update(identities)
      .set({ askDueAt: sql`now()` })
      .where(eq(identities.userId, id));
    await services.deps.directoryWatch.askDue(new AbortController().signal);
  },
  async password_reset({ id }) {
    const { db, config } = services.deps;
    await redeemReset(await createResetLink(db, config.server, id, { mailed: true }));
  },
};

function office() {
  const { db, config } = services.deps;
  return { db, config, actor: { id: alice.id, ip: null } };
}

describe.each(Object.keys(EVENTS) as RightEvent[])('when a person is %s', (event) => {
  it('each capability works before, is refused after as the table says, and comes back only where it rested', async () => {
    const person = await administrator(`admin-${event.replace('_', '-')}`, event === 'left_directory');
    const all = await everythingOf(person);
    expect(await whatWorks(all)).toEqual(table(() => true, event));
    await EVENTS[event](person);
    // The notification of the database.
    await expect.poll(all.apiKey).toBe(CAPABILITIES.apiKey[event] === 'stays');
    expect(await whatWorks(all)).toEqual(table((effect) => effect === 'stays', event));

    const right = { state: 'active', role: 'ADMIN', deletionDueAt: null } as const;
    await services.deps.db.query.update(users).set(right).where(eq(users.id, person.id));
    services.deps.auth.invalidateUser(person.id);
    expect(await whatWorks(all)).toEqual(table((effect) => effect !== 'ends', event));
  });
});

describe('what an administrator made for others', () => {
  const change = (id: string, over: Partial<typeof users.$inferInsert>) =>
    services.deps.db.query.update(users).set(over).where(eq(users.id, id));

  it.each<[string, Partial<typeof users.$inferInsert>, Partial<typeof users.$inferInsert>]>([
    ['demoted', { role: 'USER' }, { role: 'ADMIN' }],
    ['disabled', { state: 'disabled' }, { state: 'active' }],
    ['about to be deleted', { deletionDueAt: '2999-01-01T00:00:00Z' }, { deletionDueAt: null }],
    ['banned', { bannedUntil: '2999-01-01T00:00:00Z' }, { bannedUntil: null }],
  ])('is refused when it is used while its maker is %s, whatever changed the account', async (name, lost, back) => {
    const maker = await administrator(`maker-${name.replaceAll(' ', '-')}`, false);
    const [invitation, link] = [await invitationBy(maker), await linkForAnother(maker)];
    await change(maker.id, lost);
    expect(await isLetThrough(register(invitation))).toBe(false);
    expect(await isLetThrough(visitor().auth.findInvitation({ invitation }))).toBe(false);
    expect(await isLetThrough(redeemReset(link))).toBe(false);
    await change(maker.id, back);
    expect((await register(invitation)).user.role).toBe('ADMIN');
    await redeemReset(link);
  });

  it('waits for a transaction that takes the role away, and is refused after it', async () => {
    const maker = await administrator('maker-at-once', false);
    const [invitation, link] = [await invitationBy(maker), await linkForAnother(maker)];
    let outcomes: Promise<boolean[]> | undefined;
    await services.deps.db.query.transaction(async (tx) => {
      await tx.update(users).set({ role: 'USER' }).where(eq(users.id, maker.id));
      outcomes = Promise.all([isLetThrough(register(invitation)), isLetThrough(redeemReset(link))]);
      const waiting = async () => {
        const [row] = await services.deps.db.sql<{ n: number }[]>`
          select count(*)::int as n from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`;
        return row?.n;
      };
      await expect.poll(waiting, { timeout: 60_000 }).toBe(2);
    });
    expect(await outcomes).toEqual([false, false]);
  });

  it('goes with the account of its maker, and does not become the operator’s', async () => {
    const maker = await administrator('maker-gone', false);
    const [invitation, link] = [await invitationBy(maker), await linkForAnother(maker)];
    await services.deps.db.query.delete(users).where(and(eq(users.id, maker.id)));
    expect(await isLetThrough(register(invitation))).toBe(false);
    expect(await isLetThrough(redeemReset(link))).toBe(false);
  });
});
