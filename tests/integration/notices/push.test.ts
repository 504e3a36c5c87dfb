import { randomUUID } from 'node:crypto';
import { pushTargets } from '@parley/db/tables/automation/push-targets';
import { sessions, users } from '@parley/db/tables/users';
import { startFakePush, type FakeBrowser, type FakePush } from '@parley/scripts/fake-push/push-service';
import { PUSH_TARGETS_MAX } from '@parley/server/notices/push/targets';
import type { AnswerEnd } from '@parley/server/notices/answer-end';
import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { exchange, followUp, question } from '../../support/exchange.ts';
import { openTestServices, type Person, type TestServices } from '../../support/services.ts';
import { ALL_ON, openPage, signedInBrowser } from './browsers.ts';

let fake: FakePush;
let services: TestServices;
let alice: Person;
let bob: Person;

beforeAll(async () => {
  fake = await startFakePush();
  services = await openTestServices({
    TITLE_CONVO: 'false',
    PUSH: 'on',
    PUSH_HOSTS: fake.host,
    VAPID_SUBJECT: 'mailto:admin@example.com',
  });
  alice = await services.as('alice');
  bob = await services.as('bob');
  for (const person of [alice, bob]) await person.api.settings.set({ notices: ALL_ON });
});
afterEach(async () => {
  await services.deps.notices.settled();
  services.deps.push?.close();
  await services.deps.db.query.delete(pushTargets);
  expect(fake.refused.splice(0)).toEqual([]);
});
afterAll(async () => {
  await services.close();
  await fake.close();
});

/** A device of a person that has subscribed and is registered. */
async function addDevice(person: Person, userAgent?: string) {
  const browser = await signedInBrowser(services.deps, person.id, userAgent);
  const { publicKey } = await browser.api.notices.devices();
  const device = fake.subscribe(publicKey);
  const { id } = await browser.api.notices.addDevice(device.subscription);
  return { ...browser, ...device, id };
}

const ask = (person: Person) => exchange(services, person.id, question('Hello'));
const textsOf = ({ messages }: Pick<FakeBrowser, 'messages'>) => messages.map(({ text }) => JSON.parse(text) as object);
const rows = () => services.deps.db.query.select().from(pushTargets);

describe('an answer that ends while no page is open', () => {
  it('is sent to each device of its person, encrypted, with a time to live, an urgency and a topic', async () => {
    const [phone, tablet] = [await addDevice(alice), await addDevice(alice)];
    const his = await addDevice(bob);
    const { convo } = await ask(alice);
    await services.deps.notices.settled();
    const path = `/c/${convo.conversationId}`;
    const message = { title: 'An answer is ready', body: '', path, tag: 'answers' };
    for (const device of [phone, tablet]) {
      expect(textsOf(device)).toEqual([message]);
      expect(device.messages[0]?.headers).toMatchObject({ ttl: '86400', urgency: 'normal', topic: 'answers' });
    }
    expect(his.messages).toEqual([]);
  });

  it('names the chat where its person allows that', async () => {
    const phone = await addDevice(alice);
    const { convo, reply } = await ask(alice);
    const { conversationId } = convo;
    await services.deps.notices.settled();
    services.deps.push?.close();
    await alice.api.settings.set({ notices: { ...ALL_ON, hasTitles: true } });
    await alice.api.convos.rename({ conversationId, title: `Umbrellas ${'and more '.repeat(25)}` });
    await exchange(services, alice.id, followUp('And now?', { convo, reply }));
    await services.deps.notices.settled();
    expect(textsOf(phone)[1]).toMatchObject({
      title: expect.stringMatching(/^Umbrellas and more .{1,120}$/),
      body: 'An answer is ready',
    });
    await alice.api.settings.set({ notices: ALL_ON });
  });

  it('is one message for many answers in close succession, which counts them', async () => {
    const phone = await addDevice(alice);
    for (let n = 0; n < 50; n++) await services.deps.push?.send(endOf(alice));
    expect(textsOf(phone)).toMatchObject([{ title: 'An answer is ready' }]);
    await services.deps.push?.flush();
    expect(textsOf(phone)).toMatchObject([{ title: 'An answer is ready' }, { title: '50 answers are ready' }]);
  });

  it('is shown by a page instead where one is open', async () => {
    const phone = await addDevice(alice);
    const page = openPage(services.deps, alice.id);
    await ask(alice);
    await services.deps.notices.settled();
    await page.close();
    expect([page.taken.length, phone.messages.length]).toEqual([1, 0]);
  });
});

describe('a push service that does not take it', () => {
  it.each([404, 410])('with %i: the device is forgotten', async (status) => {
    const [gone, there] = [await addDevice(alice), await addDevice(alice)];
    gone.answer(status);
    await ask(alice);
    await services.deps.notices.settled();
    expect((await rows()).map(({ id }) => id)).toEqual([there.id]);
    expect(there.messages).toHaveLength(1);
  });

  it.each([
    [429, { 'retry-after': '60' }],
    [413, {}],
    [500, {}],
    [302, { location: 'http://127.0.0.1:9/elsewhere' }],
  ])('with %i: the device is kept, and its list says so', async (status, headers) => {
    const phone = await addDevice(alice);
    phone.answer(status, headers);
    await ask(alice);
    await services.deps.notices.settled();
    expect((await phone.api.notices.devices()).devices).toMatchObject([{ failedAt: expect.any(String) }]);
    phone.answer(201);
    expect(await phone.api.notices.tryDevice()).toBe(true);
    expect((await phone.api.notices.devices()).devices).toMatchObject([{ failedAt: null }]);
  });
});

describe('a device', () => {
  it('is listed with its browser, tried alone, and removed by its person only', async () => {
    const phone = await addDevice(alice);
    const firefox = await addDevice(alice, 'Mozilla/5.0 (Windows NT 10.0; rv:143.0) Gecko/20100101 Firefox/143.0');
    expect((await firefox.api.notices.devices()).devices).toMatchObject([
      { id: firefox.id, isThis: true, browser: 'Firefox', system: 'Windows' },
      { id: phone.id, isThis: false, browser: 'Chrome', system: 'Linux' },
    ]);
    expect(JSON.stringify(await firefox.api.notices.devices())).not.toContain('/push/');
    expect(await phone.api.notices.tryDevice()).toBe(true);
    expect([phone.messages.length, firefox.messages.length]).toEqual([1, 0]);
    await bob.api.notices.removeDevice({ id: phone.id });
    expect(await rows()).toHaveLength(2);
    await alice.api.notices.removeDevice({ id: phone.id });
    expect((await rows()).map(({ id }) => id)).toEqual([firefox.id]);
  });

  it('has keys that the database does not show', async () => {
    const { subscription } = await addDevice(alice);
    const [row] = await rows();
    expect(row?.keys.sealed).toEqual(expect.any(String));
    for (const key of Object.values(subscription.keys)) expect(JSON.stringify(row)).not.toContain(key);
  });

  it('moves to the account that registers it, and is no longer the other one’s', async () => {
    const phone = await addDevice(alice);
    const { api } = await signedInBrowser(services.deps, bob.id);
    await api.notices.addDevice(phone.subscription);
    expect((await rows()).map(({ userId }) => userId)).toEqual([bob.id]);
    await ask(alice);
    await services.deps.notices.settled();
    expect(phone.messages).toEqual([]);
    await ask(bob);
    await services.deps.notices.settled();
    expect(phone.messages).toHaveLength(1);
  });

  it('gets nothing once its session has ended, and goes with the account', async () => {
    const [phone, tablet] = [await addDevice(alice), await addDevice(alice)];
    await services.deps.db.query.delete(sessions).where(eq(sessions.family, phone.sid));
    await ask(alice);
    await services.deps.notices.settled();
    expect([phone.messages.length, tablet.messages.length]).toEqual([0, 1]);
    expect((await tablet.api.notices.devices()).devices.map(({ id }) => id)).toEqual([tablet.id]);
    const carol = await services.as('carol');
    await addDevice(carol);
    await services.deps.db.query.delete(users).where(eq(users.id, carol.id));
    expect((await rows()).map(({ userId }) => userId)).toEqual([alice.id, alice.id]);
  });

  it('gets nothing for an account that is banned or to be deleted', async () => {
    const phone = await addDevice(bob);
    const { query } = services.deps.db;
    for (const state of [{ state: 'disabled' as const }, { deletionDueAt: new Date().toISOString() }]) {
      await query.update(users).set(state).where(eq(users.id, bob.id));
      expect(await services.deps.push?.tryOut(bob.id, phone.sid)).toBe(false);
      await query.update(users).set({ state: 'active', deletionDueAt: null }).where(eq(users.id, bob.id));
    }
    expect(phone.messages).toEqual([]);
  });

  it('is one of a few: the newest stay, whatever they call themselves', async () => {
    const { api } = await signedInBrowser(services.deps, alice.id);
    const { publicKey } = await api.notices.devices();
    const added: string[] = [];
    for (let n = 0; n < PUSH_TARGETS_MAX + 5; n++) {
      const browser = await signedInBrowser(services.deps, alice.id, 'x'.repeat(100_000));
      added.push((await browser.api.notices.addDevice(fake.subscribe(publicKey).subscription)).id);
    }
    const kept = await rows();
    expect(kept.map(({ id }) => id).toSorted()).toEqual(added.slice(-PUSH_TARGETS_MAX).toSorted());
    expect(Math.max(...kept.map(({ userAgent }) => userAgent.length))).toBe(300);
  });

  it('is refused at an address of no push service, and one that leads into the network is never called', async () => {
    const { api } = await signedInBrowser(services.deps, alice.id);
    const { publicKey } = await api.notices.devices();
    const { subscription } = fake.subscribe(publicKey);
    for (const endpoint of [
      'http://127.0.0.1:1/a',
      'https://localhost/a',
      `${fake.url.replace('//', '//user@')}/push/a`,
    ])
      await expect(api.notices.addDevice({ ...subscription, endpoint })).rejects.toMatchObject({
        cause: { reason: { type: 'forbidden_base_url' } },
      });
    await expect(
      api.notices.addDevice({ ...subscription, endpoint: `${fake.url}/${'a'.repeat(3000)}` }),
    ).rejects.toThrow();
    const keys = { p256dh: 'BAAA', auth: subscription.keys.auth };
    await expect(api.notices.addDevice({ ...subscription, keys })).rejects.toMatchObject({
      cause: { reason: { type: 'invalid_input' } },
    });
    expect(await rows()).toEqual([]);
  });
});

describe('a server without push', () => {
  it('refuses it, reads no table of it, and does not say that it has it', async () => {
    const other = await services.beside({ PUSH: 'off' });
    try {
      expect(other.deps.push).toBeNull();
      const { api } = await signedInBrowser(other.deps, alice.id);
      for (const call of [
        () => api.notices.devices(),
        () => api.notices.tryDevice(),
        () => api.notices.removeDevice({ id: randomUUID() }),
      ])
        await expect(call()).rejects.toMatchObject({ cause: { reason: { type: 'forbidden' } } });
      expect(await api.endpoints.startup()).not.toHaveProperty('pushEnabled');
    } finally {
      await other.close();
    }
    expect(await alice.api.endpoints.startup()).toMatchObject({ pushEnabled: true });
  });
});

function endOf({ id: userId }: Person): AnswerEnd {
  const ids = { generationId: randomUUID(), conversationId: randomUUID() };
  return { userId, ...ids, title: null, kind: 'ready', settings: ALL_ON };
}
