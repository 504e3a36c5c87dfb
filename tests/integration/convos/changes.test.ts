import { getEventListeners } from 'node:events';
import { users } from '@parley/db/tables/users';
import type { Change, Convo } from '@parley/schema/convos/convos';
import { createFollowedComparison } from '@parley/server/feed/follow-changes';
import { followChanges } from '@parley/server/feed/follow-changes';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { exchange, question, readAll } from '../../support/exchange.ts';
import { openTestServices, type Person, type TestServices } from '../../support/services.ts';
import { follow as followAs, type Follower } from './follow.ts';

let services: TestServices;
let alice: Person;
let bob: Person;

beforeAll(async () => {
  services = await openTestServices();
  alice = await services.as('alice');
  bob = await services.as('bob');
});
afterAll(() => services.close());

describe('the change feed', () => {
  it('reports that a conversation begins, gets its title and is idle again', async () => {
    const feed = await follow(alice);
    const { convo } = await exchange(services, alice.id, question('Tell me about harbours'));
    await feed.until((change) => isConvo(change) && change.convo.title !== null && change.convo.running === null);
    const states = feed.told.filter(isConvo).map((change) => change.convo);
    expect(states[0]).toMatchObject({ conversationId: convo.conversationId, title: null });
    expect(states[0]?.running).not.toBeNull();
    expect(ascending(feed.told)).toBe(true);
  });

  it('reports renaming and deleting', async () => {
    const { convo } = await exchange(services, alice.id, question('Short-lived'));
    const feed = await follow(alice);
    const convoRef = { conversationId: convo.conversationId };
    await alice.api.convos.rename({ ...convoRef, title: 'Named by hand' });
    await feed.until((change) => isConvo(change) && change.convo.title === 'Named by hand');
    await alice.api.convos.remove(convoRef);
    await feed.until((change) => change.type === 'removed' && change.conversationId === convoRef.conversationId);
    expect(feed.list.has(convoRef.conversationId)).toBe(false);
  });

  it('reports a change whose process died before it told of it', async () => {
    const { db, pubsub } = services.deps;
    const { convo } = await exchange(services, alice.id, question('Never told'));
    await alice.api.convos.title({ conversationId: convo.conversationId });
    const feed = await follow(alice);
    const compare = createFollowedComparison({ db: { ...db, lookForOthers: () => Promise.resolve(true) }, pubsub });
    await compare();
    await db.sql`
      with change as (update users set change_seq = change_seq + 1 where id = ${alice.id} returning change_seq)
      update convos set title = 'Told by nobody', change_seq = change.change_seq from change
      where convos.user_id = ${alice.id} and convos.id = ${convo.conversationId}`;
    await compare();
    await feed.until((change) => isConvo(change) && change.convo.title === 'Told by nobody');
  });

  it('begins with changes from now on', async () => {
    const { convo } = await exchange(services, alice.id, question('Before'));
    await alice.api.convos.title({ conversationId: convo.conversationId });
    const feed = await follow(alice);
    expect(feed.told).toEqual([]);
  });

  it('catches up after any cursor, each conversation once', async () => {
    const start = await counterOf(alice);
    const { convo } = await exchange(services, alice.id, question('Often renamed'));
    const convoRef = { conversationId: convo.conversationId };
    for (let n = 0; n < 10; n += 1) await alice.api.convos.rename({ ...convoRef, title: `Title ${n}` });
    const feed = await follow(alice, start);
    await feed.until((change) => isConvo(change) && change.convo.title === 'Title 9');
    expect(feed.told).toHaveLength(1);
    const nothingMissed = await follow(alice, feed.cursor());
    expect(nothingMissed.told).toEqual([]);
  });

  it('asks for a full read when the cursor is ahead of the server', async () => {
    const before = await counterOf(alice);
    const feed = await follow(alice, 1_000_000_000);
    const [first] = feed.told;
    expect(first?.type).toBe('reset');
    // A title of the test before may come meanwhile.
    expect(first?.seq).toBeGreaterThanOrEqual(before);
    expect(first?.seq).toBeLessThanOrEqual(await counterOf(alice));
    await exchange(services, alice.id, question('After the reset'));
    await feed.until(isConvo);
  });

  it('never reports changes of another user', async () => {
    const feed = await follow(bob);
    const { convo } = await exchange(services, alice.id, question('Private'));
    await alice.api.convos.remove({ conversationId: convo.conversationId });
    const { convo: his } = await exchange(services, bob.id, question('His own'));
    await feed.until((change) => isConvo(change) && change.convo.conversationId === his.conversationId);
    expect([...feed.list.keys()]).toEqual([his.conversationId]);
    expect(feed.told.filter((change) => change.type === 'removed')).toEqual([]);
  });

  it('reports every conversation when all are deleted at once, also to a subscriber that reconnects meanwhile', async () => {
    const carol = await services.as('carol');
    const asked = Array.from({ length: 230 }, (_, n) => question(`Chat ${n}`, { model: 'fake:silent' }));
    await insertConvos(
      carol.id,
      asked.map((input) => input.conversationId),
    );
    const start = await counterOf(carol);
    const feed = await follow(carol);
    await carol.api.convos.clear();
    await expect.poll(() => feed.told.length).toBe(230);
    expect(ascending(feed.told)).toBe(true);
    const middle = feed.told[100]?.seq ?? start;
    const late = await follow(carol, middle);
    await expect.poll(() => late.told.length).toBe(129);
  });

  it('leaves no listeners on the signal of a long subscription', async () => {
    const leaving = new AbortController();
    // From a known change on: one that is made before the first look is not missed.
    const changes = followChanges(services.deps, alice.id, await counterOf(alice), leaving.signal);
    const { convo } = await exchange(services, alice.id, question('Long followed'));
    for (let n = 0; n < 30; n += 1) {
      const next = changes.next();
      await new Promise((resolve) => setTimeout(resolve, 5));
      await alice.api.convos.rename({ conversationId: convo.conversationId, title: `Title ${n}` });
      await next;
    }
    expect(getEventListeners(leaving.signal, 'abort').length).toBeLessThan(3);
    leaving.abort();
    await changes.return(undefined);
  });
});

describe('after 200 random actions', () => {
  it('two subscribers, one of them reconnecting, match the database', async () => {
    const random = createRandom(20260101);
    const steady = await follow(bob, 0);
    let restless = await follow(bob, 0);
    const known = new Map<string, Convo>();
    for (let n = 0; n < 200; n += 1) {
      if (random() < 0.1) {
        await restless.leave();
        known.clear();
        for (const [id, convo] of restless.list) known.set(id, convo);
        const next = await follow(bob, restless.cursor());
        for (const [id, convo] of known) if (!next.list.has(id) && !isRemoved(next, id)) next.list.set(id, convo);
        restless = next;
      }
      await act(bob, random);
    }
    const marker = await exchange(services, bob.id, question('The last one'));
    const isMarker = (change: Change) =>
      isConvo(change) && change.convo.conversationId === marker.convo.conversationId && change.convo.title !== null;
    await Promise.all([steady.until(isMarker), restless.until(isMarker)]);
    // Titles of earlier conversations may come after that of the last one.
    const match = async () => {
      const { convos } = await bob.api.convos.page({ pageNumber: 1, pageSize: 100 });
      const truth = new Map(convos.map((convo) => [convo.conversationId, convo]));
      expect(steady.list).toEqual(truth);
      expect(restless.list).toEqual(truth);
    };
    await vi.waitFor(match, { timeout: 30_000 });
  });
});

function follow(person: Person, afterSeq: number | null = null): Promise<Follower> {
  return followAs(services, person.id, afterSeq);
}

async function act(person: Person, random: () => number): Promise<void> {
  const { convos } = await person.api.convos.list({ limit: 100 });
  const one = convos[Math.floor(random() * convos.length)];
  const dice = random();
  if (!one || dice < 0.3) {
    const input = question('Something', { model: 'fake:echo' });
    await person.api.messages.ask(input);
    if (random() < 0.5) await readAll(services, person.id, input.generationId);
  } else if (dice < 0.75) {
    await person.api.convos.rename({
      conversationId: one.conversationId,
      title: `Title ${Math.floor(random() * 100)}`,
    });
  } else if (dice < 0.98) {
    await person.api.convos.remove({ conversationId: one.conversationId });
  } else {
    await person.api.convos.clear();
  }
}

function isConvo(change: Change): change is Extract<Change, { type: 'convo' }> {
  return change.type === 'convo';
}

function isRemoved(follower: Follower, id: string): boolean {
  return follower.told.some((change) => change.type === 'removed' && change.conversationId === id);
}

function ascending(changes: readonly Change[]): boolean {
  return changes.every((change, n) => n === 0 || change.seq > (changes[n - 1]?.seq ?? 0));
}

async function counterOf(person: Person): Promise<number> {
  const [row] = await services.deps.db.query.select().from(users).where(eq(users.id, person.id));
  return row?.changeSeq ?? 0;
}

async function insertConvos(userId: string, ids: string[]) {
  const { sql } = services.deps.db;
  await sql`insert into convos (user_id, id, endpoint, endpoint_type, change_seq)
    select ${userId}, id, 'openAI', 'openAI', 0 from unnest(${ids}::uuid[]) as id`;
}

/** Mulberry32: the same actions every time. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}
