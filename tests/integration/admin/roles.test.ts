// Everything of the administration is for administrators alone, and the role is read at each call.
import { users } from '@parley/db/tables/users';
import { appRouter } from '@parley/server/router';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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
  it('refuses whoever is no administrator', async () => {
    await expect(call(user, name)).rejects.toMatchObject(FORBIDDEN);
  });
});

it('an administrator loses it with the role', async () => {
  expect(await admin.api.admin.audit({})).toEqual([]);
  const set = (role: 'USER' | 'ADMIN') =>
    services.deps.db.query.update(users).set({ role }).where(eq(users.id, admin.id));
  await set('USER');
  await expect(admin.api.admin.audit({})).rejects.toMatchObject(FORBIDDEN);
  await set('ADMIN');
  expect(await admin.api.admin.audit({})).toEqual([]);
});
