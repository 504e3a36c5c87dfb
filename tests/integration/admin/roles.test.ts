// Everything of the administration is for administrators alone, and the role is read at each call.
import { users } from '@parley/db/tables/users';
import { appRouter } from '@parley/server/router';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openTestServices, type Person, type TestServices } from '../../support/services.ts';

const PROCEDURES = Object.keys(appRouter._def.procedures).filter((name) => name.startsWith('admin.'));

const FORBIDDEN = { code: 'FORBIDDEN', cause: { reason: { type: 'forbidden' } } };

let services: TestServices;
let admin: Person;
let user: Person;

beforeAll(async () => {
  services = await openTestServices();
  admin = await services.as('alice', 'ADMIN');
  user = await services.as('bob');
});
afterAll(() => services.close());

/** Calls a procedure without an input: who may call it learns at most what is wrong with that. */
function call({ api }: Person, name: string): Promise<unknown> {
  const procedure = name.split('.').reduce<unknown>((at, key) => Reflect.get(Object(at), key), api);
  return (procedure as () => Promise<unknown>)();
}

describe.each(PROCEDURES)('%s', (name) => {
  it('refuses people who are no administrators', async () => {
    await expect(call(user, name)).rejects.toMatchObject(FORBIDDEN);
  });
});

const set = (role: 'USER' | 'ADMIN') =>
  services.deps.db.query.update(users).set({ role }).where(eq(users.id, admin.id));

/** A change of each kind. */
const changes: Readonly<Record<string, () => Promise<unknown>>> = {
  'people.setRole': () => admin.api.admin.people.setRole({ userId: user.id, role: 'ADMIN' }),
  'people.disable': () => admin.api.admin.people.disable({ userId: user.id }),
  'people.resetLink': () => admin.api.admin.people.resetLink({ userId: user.id }),
  'people.invite': () => admin.api.admin.people.invite({ email: null, role: 'ADMIN', expiresInDays: 1 }),
  'people.create': () => admin.api.admin.people.create({ email: 'x@example.com', name: 'Xenia', role: 'ADMIN' }),
  'people.setRegistration': () =>
    admin.api.admin.people.setRegistration({ mode: 'closed', allowedDomains: [], version: 0 }),
  'groups.create': () => admin.api.admin.groups.create({ name: 'Readers' }),
  'access.set': () => admin.api.admin.access.set({ endpoint: 'openAI', groupIds: [], models: [], version: null }),
  'usage.setBudget': () => admin.api.admin.usage.setBudget({ scope: 'all', period: 'day', credits: 1, version: null }),
  'tools.setOn': () => admin.api.admin.tools.setOn({ name: 'calculator', version: null, isOn: false }),
};

describe.each(Object.entries(changes))('%s', (_, change) => {
  it('is refused when an administrator loses the role while it runs, and nothing is changed', async () => {
    const { query, sql: plain } = services.deps.db;
    const stored = () => plain`
      select (select count(*) from server_settings) as settings, (select count(*) from audit_events) as events,
        (select count(*) from users) as people, (select count(*) from budgets) as budgets`;
    const before = await stored();
    const transaction = query.transaction.bind(query);
    // The role has been read by then.
    const begin = vi.spyOn(query, 'transaction').mockImplementationOnce(async (...args) => {
      await set('USER');
      return transaction(...args);
    });
    try {
      await expect(change()).rejects.toMatchObject(FORBIDDEN);
      expect(begin).toHaveBeenCalled();
    } finally {
      begin.mockRestore();
      await set('ADMIN');
    }
    expect(await stored()).toEqual(before);
  });
});

it('an administrator loses it with the role', async () => {
  expect(await admin.api.admin.audit({})).toEqual([]);
  await set('USER');
  await expect(admin.api.admin.audit({})).rejects.toMatchObject(FORBIDDEN);
  await set('ADMIN');
  expect(await admin.api.admin.audit({})).toEqual([]);
});
