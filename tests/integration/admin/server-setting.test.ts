// A setting that administrators change: what is stored, what the environment decides, who is told. Two processes on one
// database.
import { auditEvents, serverSettings } from '@parley/db/tables/administration';
import { settingProcedures } from '@parley/server/admin/saved/setting-procedures';
import { errorReason, withServices } from '@parley/server/http/trpc';
import { defineServerSetting, type SettingConfig } from '@parley/server/config/server-setting';
import { createServices, type Services } from '@parley/server/services';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import * as z from 'zod';
import { openTestServices, type Person, type TestServices } from '../../support/services.ts';

interface Quota {
  files: number;
  chats: number;
}

/** As an environment that sets the number of chats where registration is closed. */
const QUOTA = defineServerSetting<Quota>({
  name: 'quota',
  schema: z.object({ files: z.int().min(1), chats: z.int().min(1) }),
  env: ({ accounts }) => (accounts.registration === 'closed' ? { chats: 7 } : {}),
  source: { files: 'QUOTA_FILES', chats: 'QUOTA_CHATS' },
  default: { files: 10, chats: 20 },
  audit: ({ files, chats }) => ({ files, chats }),
});

let services: TestServices;
let neighbour: Services;
let alice: Person;
let bob: Person;
/** Changes that this process has read again. */
let reloaded = 0;

const { createCallerFactory, router } = withServices();
const quotaRouter = router({
  quota: router(
    settingProcedures(QUOTA, async () => {
      reloaded++;
    }),
  ),
});

beforeAll(async () => {
  services = await openTestServices();
  const { config, secrets, db, log } = services.deps;
  neighbour = await createServices({ config, secrets, db, log, demo: null });
  alice = await services.as('alice', 'ADMIN');
  bob = await services.as('bob');
});
afterAll(async () => {
  await neighbour.close();
  await services.close();
});
beforeEach(async () => {
  await services.deps.db.query.delete(serverSettings);
  await services.deps.db.query.delete(auditEvents);
  reloaded = 0;
});

function quota({ id }: Person = alice, over: Partial<Services['deps']> = {}) {
  const signedIn = { userId: id, sid: id };
  const caller = createCallerFactory(quotaRouter);
  return caller({ deps: { ...services.deps, ...over }, http: null, socket: null, token: null, signedIn }).quota;
}

async function store(value: unknown, version = 3): Promise<void> {
  await services.deps.db.query.insert(serverSettings).values({ name: 'quota', value, version });
}

/** The configuration of a server whose environment decides a part. */
function decided(): Pick<Services['deps'], 'config'> {
  const { config } = services.deps;
  return { config: { ...config, accounts: { ...config.accounts, registration: 'closed' } } };
}

it('has its default until somebody chooses, and then what was chosen', async () => {
  expect(await quota().get()).toEqual({ files: 10, chats: 20, version: 0, fixed: {} });
  expect(await quota().set({ files: 1, chats: 2, version: 0 })).toEqual({ files: 1, chats: 2, version: 1, fixed: {} });
  expect(await QUOTA.current(neighbour.deps)).toEqual({ files: 1, chats: 2 });
});

it.each([[{ files: 0, chats: 5 }], [{ files: 'many', chats: 5 }], ['none'], [[]]])(
  'has its default where %j is stored, which does not fit any more, and can be set again',
  async (value) => {
    await store(value);
    expect(await quota().get()).toEqual({ files: 10, chats: 20, version: 3, fixed: {} });
    expect(await quota().set({ files: 4, chats: 5, version: 3 })).toMatchObject({ files: 4, version: 4 });
  },
);

it('has the default of a part that an older version did not store', async () => {
  await store({ chats: 5 });
  expect(await quota().get()).toMatchObject({ files: 10, chats: 5 });
});

it('is what the environment says in the parts that it decides, which stay stored as they are', async () => {
  await store({ files: 4, chats: 5 });
  const fixed = { chats: 'QUOTA_CHATS' };
  expect(await quota(alice, decided()).get()).toEqual({ files: 4, chats: 7, version: 3, fixed });
  const set = await quota(alice, decided()).set({ files: 6, chats: 9, version: 3 });
  expect(set).toEqual({ files: 6, chats: 7, version: 4, fixed });
  expect(await quota().get()).toMatchObject({ files: 6, chats: 5 });
});

it('is changed by one administrator at a time, with an event', async () => {
  const both = await Promise.allSettled([1, 2].map((files) => quota().set({ files, chats: 2, version: 0 })));
  expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  const late = await quota()
    .set({ files: 3, chats: 2, version: 0 })
    .then(() => null, errorReason);
  expect(late).toMatchObject({ type: 'conflict' });
  const events = await services.deps.db.query.select().from(auditEvents).where(eq(auditEvents.event, 'quota.changed'));
  const { files } = await quota().get();
  expect(events).toMatchObject([{ actorId: alice.id, userId: null, details: { files, chats: 2 } }]);
});

it('refuses values that do not fit, and people who are no administrators', async () => {
  await expect(quota().set({ files: 0, chats: 2, version: 0 })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  await expect(quota().set({ files: 1, version: 0 } as never)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  await expect(quota(bob).get()).rejects.toMatchObject({ code: 'FORBIDDEN' });
  await expect(quota(bob).set({ files: 1, chats: 2, version: 0 })).rejects.toMatchObject({ code: 'FORBIDDEN' });
});

it('tells the other processes of a change, and this one reads again before it answers', async () => {
  const told = neighbour.deps.pubsub.subscribe(QUOTA.topic);
  await quota().set({ files: 1, chats: 2, version: 0 });
  expect(reloaded).toBe(1);
  expect(await told.next(new AbortController().signal)).toBe(1);
  told.end();
  await quota()
    .set({ files: 1, chats: 2, version: 0 })
    .catch(() => undefined);
  expect(reloaded).toBe(1);
});

it('is read with the configuration of the server alone', async () => {
  const config: SettingConfig = services.deps.config;
  expect(QUOTA.under(config, { files: 1, chats: 2 })).toEqual({ files: 1, chats: 2 });
  expect(QUOTA.under(decided().config, { files: 1, chats: 2 })).toEqual({ files: 1, chats: 7 });
});
