// What is searched in the log of changes, and what goes because it is old. Two processes on one database.
import { randomUUID } from 'node:crypto';
import { auditEvents } from '@parley/db/tables/administration';
import { convos } from '@parley/db/tables/convos';
import { drafts, queuedAsks } from '@parley/db/tables/drafts';
import { files } from '@parley/db/tables/files';
import { metadata } from '@parley/db/tables/metadata';
import { shares } from '@parley/db/tables/shares';
import { sweepRetention } from '@parley/server/admin/retention/sweep-retention';
import { listSweeps } from '@parley/server/sweeps';
import type { RetentionRules } from '@parley/schema/convos/retention';
import { createServices, type Services } from '@parley/server/services';
import { errorReason } from '@parley/server/http/trpc';
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addFile } from '../../support/retrieval/stored-files.ts';
import { openTestServices, type Person, type TestServices } from '../../support/services.ts';

let services: TestServices;
let neighbour: Services;
let alice: Person;
let bob: Person;
let carol: Person;

beforeAll(async () => {
  services = await openTestServices();
  const { config, secrets, db, log } = services.deps;
  neighbour = await createServices({ config, secrets, db, log, demo: null });
  alice = await services.as('alice', 'ADMIN');
  bob = await services.as('bob');
  carol = await services.as('carol');
});
afterAll(async () => {
  await neighbour.close();
  await services.close();
});

describe('the log of changes', () => {
  beforeAll(async () => {
    const at = (day: string) => `2026-03-${day}T12:00:00.000Z`;
    const rows = [
      { event: 'provider.saved', actorId: alice.id, ip: '203.0.113.9', at: at('01'), details: { name: 'Ours' } },
      { event: 'person.disabled', actorId: alice.id, userId: bob.id, ip: '203.0.113.9', at: at('02') },
      {
        event: 'person.removed',
        actorId: carol.id,
        ip: '198.51.100.7',
        at: at('03'),
        details: { email: '50%_@gone.de' },
      },
      { event: 'providers.ordered', actorId: null, at: at('04') },
    ];
    for (const row of rows) await services.deps.db.query.insert(auditEvents).values(row);
  });
  const find = async (input: Parameters<typeof alice.api.admin.audit>[0]) =>
    (await alice.api.admin.audit(input)).map(({ event }) => event);

  it('is searched by kind, person, address and time, and by all of them together', async () => {
    expect(await find({ events: ['provider'] })).toEqual(['providers.ordered', 'provider.saved']);
    // Whose account it was, or who did it.
    expect(await find({ query: 'bob' })).toEqual(['person.disabled']);
    expect(await find({ query: 'carol@example' })).toEqual(['person.removed']);
    // Of an account that is gone; a sign of a pattern is no more than itself.
    expect(await find({ query: '50%_@gone' })).toEqual(['person.removed']);
    expect(await find({ query: '5_%' })).toEqual([]);
    expect(await find({ query: '203.0.113' })).toEqual(['person.disabled', 'provider.saved']);
    const days = { from: '2026-03-02T00:00:00.000Z', until: '2026-03-04T00:00:00.000Z' };
    expect(await find(days)).toEqual(['person.removed', 'person.disabled']);
    expect(await find({ ...days, query: 'alice', events: ['invitation', 'person'] })).toEqual(['person.disabled']);
    expect(await find({ query: "'&|!:*()" })).toEqual([]);
  });

  it('comes page by page', async () => {
    const [newest] = await alice.api.admin.audit({ limit: 1 });
    expect(newest).toMatchObject({ event: 'providers.ordered', actor: null });
    expect(await find({ cursor: newest?.id ?? 0, limit: 2 })).toEqual(['person.removed', 'person.disabled']);
  });
});

describe('retention', () => {
  beforeEach(async () => {
    await services.deps.db.query.delete(auditEvents);
    await services.deps.db.query.delete(metadata).where(eq(metadata.name, 'retention'));
  });

  it('is off, and then nothing is read but that', async () => {
    const chat = await add(bob, 4000);
    expect(await alice.api.admin.retention.get()).toMatchObject({ ...OFF, version: 0 });
    expect(await bob.api.convos.retention()).toEqual({ chatsDays: null });
    await sweep();
    expect(await listed(bob)).toEqual([chat]);
    expect(await services.deps.db.query.select().from(metadata).where(eq(metadata.name, 'retention'))).toEqual([]);
    await bob.api.convos.remove({ conversationId: chat });
  });

  it('puts what is untouched into the trash of its owner, once in all processes, and nothing younger', async () => {
    const old = await add(bob, 31);
    const filed = await add(bob, 40, { isArchived: true, folderId: randomUUID() });
    const young = await add(bob, 29);
    const pinned = await add(bob, 90, { isPinned: true });
    const running = await add(bob, 90, { running: randomUUID() });
    const imported = await add(bob, 90, { arrivedAt: ago(3) });
    const temporary = await add(bob, 90, { temporaryUntil: sql`now() + interval '1 day'` });
    const shared = await add(bob, 90);
    await share(shared, sql`now() + interval '1 day'`);
    const expired = await add(bob, 90);
    await share(expired, sql`now() - interval '1 day'`);
    const typed = await add(bob, 90);
    await services.deps.db.query
      .insert(drafts)
      .values({ userId: bob.id, key: typed, text: 'And', editedAt: ago(1), changeSeq: 0 } as never);
    const waiting = await add(bob, 90);
    await services.deps.db.query.insert(queuedAsks).values({
      userId: bob.id,
      id: randomUUID(),
      convoId: waiting,
      text: 'Then?',
      position: 1,
      heldUntil: 'infinity',
    });
    const hers = await add(carol, 31);
    expect(await alice.api.admin.retention.count({ ...OFF, chatsDays: 30 })).toEqual({
      chats: 4,
      people: 2,
      files: 0,
      events: 0,
    });
    await set({ chatsDays: 30 });
    expect(await bob.api.convos.retention()).toEqual({ chatsDays: 30 });

    await Promise.all([sweep(), sweep(neighbour)]);
    const kept = [young, pinned, running, imported, temporary, shared, typed, waiting];
    expect(await listed(bob)).toEqual(kept.toSorted());
    expect(await listed(carol)).toEqual([]);
    expect(await swept()).toEqual([{ chats: 4, people: 2, events: 0 }]);
    // Within the hour nobody sweeps again.
    await add(carol, 31);
    await sweep(neighbour);
    expect(await swept()).toHaveLength(1);

    // What is taken back has come anew.
    const { deletions } = await bob.api.convos.trash({});
    expect(deletions).toMatchObject([{ kind: 'convos', count: 3 }, { count: 1 }]);
    await bob.api.convos.restore({ deletionId: deletions[0]?.deletionId ?? '' });
    await services.deps.db.query.delete(metadata).where(eq(metadata.name, 'retention'));
    await sweep();
    expect(await listed(bob)).toEqual([...kept, old, filed, expired].toSorted());
    expect(await listed(carol)).toEqual([]);
    expect(hers).not.toBe('');
  });

  it('deletes old events, and is changed by nobody who has not seen what is set', async () => {
    const { version } = await alice.api.admin.retention.get();
    const late = alice.api.admin.retention.set({ ...OFF, chatsDays: 1, version: version - 1 });
    expect(await late.then(() => null, errorReason)).toMatchObject({ type: 'conflict' });
    await services.deps.db.query.insert(auditEvents).values([
      { event: 'old', at: ago(11) },
      { event: 'young', at: ago(9) },
    ] as never);
    await set({ auditDays: 10 });
    expect(await alice.api.admin.retention.count({ ...OFF, auditDays: 10 })).toMatchObject({ events: 1 });
    await sweep();
    const events = (await alice.api.admin.audit({})).map(({ event }) => event);
    expect(events).toEqual(['retention.swept', 'retention.changed', 'young']);
    for (const days of [0, -1, 1.5, 3651])
      await expect(set({ chatsDays: days })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });

  it('keeps files that nothing uses for as long as is set, and an hour without', async () => {
    const add = async (days: number) => {
      const id = await addFile(services, bob, randomUUID());
      await services.deps.db.query
        .update(files)
        .set({ expiresAt: ago(days) })
        .where(eq(files.id, id));
      return id;
    };
    const [older, old, fresh] = [await add(31), await add(29), await add(0)];
    const there = async () => (await services.deps.db.query.select({ id: files.id }).from(files)).map(({ id }) => id);
    await set({ filesDays: 30 });
    expect(await alice.api.admin.retention.count({ ...OFF, filesDays: 30 })).toMatchObject({ files: 1 });
    expect(await alice.api.admin.retention.count(OFF)).toMatchObject({ files: 3 });
    await sweepAll();
    expect((await there()).toSorted()).toEqual([old, fresh].toSorted());
    expect(await there()).not.toContain(older);
    const strict = await services.beside({ RETENTION_FILES_DAYS: '0' });
    await sweepAll(strict);
    expect(await there()).toEqual([]);
    await strict.close();
  });
});

const OFF: RetentionRules = { chatsDays: null, filesDays: null, auditDays: null };
const never = new AbortController().signal;
const sweep = ({ deps }: { deps: Services['deps'] } = services) => sweepRetention(deps, never);
/** All that is swept from time to time. */
async function sweepAll({ deps }: { deps: Services['deps'] } = services): Promise<void> {
  const onFault = (error: unknown) => expect.fail(String(error));
  for (const { sweep: next } of listSweeps({ ...deps, onFault }, never)) await next();
}
const ago = (days: number) => sql`now() - make_interval(days => ${days})`;

async function set(rules: Partial<RetentionRules>): Promise<void> {
  const { version } = await alice.api.admin.retention.get();
  await alice.api.admin.retention.set({ ...OFF, ...rules, version });
}

/** A chat whose last message is so old. */
async function add(owner: Person, days: number, over: object = {}): Promise<string> {
  const id = randomUUID();
  const values = {
    userId: owner.id,
    id,
    endpoint: 'openAI',
    endpointType: 'openAI',
    changeSeq: 0,
    updatedAt: ago(days),
  };
  await services.deps.db.query.insert(convos).values({ ...values, ...over } as never);
  return id;
}

async function share(convoId: string, expiresAt: unknown): Promise<void> {
  const values = { id: randomUUID(), userId: bob.id, convoId, thread: {}, expiresAt };
  await services.deps.db.query.insert(shares).values(values as never);
}

async function listed(owner: Person): Promise<string[]> {
  const rows = await services.deps.db.query
    .select({ id: convos.id })
    .from(convos)
    .where(sql`${convos.userId} = ${owner.id} and ${convos.deletedAt} is null`);
  return rows.map(({ id }) => id).toSorted();
}

async function swept() {
  const rows = await services.deps.db.query.select().from(auditEvents).where(eq(auditEvents.event, 'retention.swept'));
  return rows.map(({ details }) => details);
}
