// What the feed only hints at: presets and keys, which are read elsewhere.
import { randomUUID } from 'node:crypto';
import { PRESETS_MAX } from '@parley/schema/settings/presets';
import { presets } from '@parley/db/tables/presets';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestServices, type Person, type TestServices } from '../../support/services.ts';
import { follow as followAs, type Follower } from './follow.ts';

let services: TestServices;
let alice: Person;
let bob: Person;

beforeAll(async () => {
  services = await openTestServices({ OPENAI_API_KEY: 'user_provided' });
  alice = await services.as('alice');
  bob = await services.as('bob');
});
afterAll(() => services.close());

const SECRET = 'sk-nobody-may-hear';
const saveKey = () =>
  alice.api.keys.save({ name: 'openAI', value: JSON.stringify({ apiKey: SECRET, baseURL: '' }), expiresAt: null });

describe('every subscriber', () => {
  it('is notified of changed presets of its own user only', async () => {
    const [one, other, stranger] = [await follow(alice), await follow(alice), await follow(bob)];
    const { presetId } = await alice.api.presets.save({ title: 'Poet' });
    await Promise.all([heard(one, 1), heard(other, 1)]);
    await alice.api.presets.save({ presetId, title: 'Bard' });
    await Promise.all([heard(one, 2), heard(other, 2)]);
    await alice.api.presets.remove({ presetId });
    await Promise.all([heard(one, 3), heard(other, 3)]);
    await alice.api.presets.removeAll();
    await Promise.all([heard(one, 4), heard(other, 4)]);
    expect(typesOf(one)).toEqual(['presets', 'presets', 'presets', 'presets']);
    expect(other.told).toEqual(one.told);
    expect(stranger.told).toEqual([]);
  });

  it('is notified of changed keys, never of their values', async () => {
    const [one, other] = [await follow(alice), await follow(alice)];
    await saveKey();
    await Promise.all([heard(one, 1), heard(other, 1)]);
    await alice.api.keys.remove({ name: 'openAI' });
    await Promise.all([heard(one, 2), heard(other, 2)]);
    await alice.api.keys.removeAll();
    await Promise.all([heard(one, 3), heard(other, 3)]);
    expect(typesOf(one)).toEqual(['keys', 'keys', 'keys']);
    expect(one.told.map((change) => Object.keys(change))).toEqual(Array(3).fill(['type', 'seq']));
    expect(other.told).toEqual(one.told);
  });

  it('is notified of each change once after reconnecting, in the order of the last changes', async () => {
    const before = await follow(alice);
    await saveKey();
    await heard(before, 1);
    const cursor = before.cursor();
    for (let n = 0; n < 5; n += 1) await alice.api.presets.save({ title: `Preset ${n}` });
    await alice.api.keys.removeAll();
    const late = await follow(alice, cursor);
    expect(typesOf(late)).toEqual(['presets', 'keys']);
    expect((await follow(alice, late.cursor())).told).toEqual([]);
  });

  it('is not notified of refused changes', async () => {
    const rows = Array.from({ length: PRESETS_MAX }, () => ({
      userId: bob.id,
      id: randomUUID(),
      title: 'One of many',
    }));
    await services.deps.db.query.insert(presets).values(rows);
    const feed = await follow(bob);
    await expect(bob.api.presets.save({ title: 'One too many' })).rejects.toThrow();
    await expect(bob.api.keys.save({ name: 'nowhere', value: 'sk', expiresAt: null })).rejects.toThrow();
    await bob.api.presets.removeAll();
    await heard(feed, 1);
    expect(typesOf(feed)).toEqual(['presets']);
  });
});

function follow(person: Person, afterSeq: number | null = null): Promise<Follower> {
  return followAs(services, person.id, afterSeq);
}

const heard = (feed: Follower, count: number) => expect.poll(() => feed.told.length).toBe(count);
const typesOf = (feed: Follower) => feed.told.map(({ type }) => type);
