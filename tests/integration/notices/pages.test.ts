import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { exchange, followUp, question } from '../../support/exchange.ts';
import { openTestServices, type Person, type TestServices } from '../../support/services.ts';
import { ALL_ON, openPage, untilTold, type OpenPage } from './browsers.ts';

let services: TestServices;
let other: Awaited<ReturnType<TestServices['beside']>>;
let alice: Person;
let bob: Person;
const open: OpenPage[] = [];

beforeAll(async () => {
  // Long enough for a page that is awake on a busy machine; one that sleeps is waited for that long.
  services = await openTestServices({ TITLE_CONVO: 'false' }, { noticeTakeMs: 3000 });
  other = await services.beside({});
  alice = await services.as('alice');
  bob = await services.as('bob');
  await alice.api.settings.set({ notices: ALL_ON });
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((page) => page.close()));
});
afterAll(async () => {
  await other.close();
  await services.close();
});

const pageOf = (deps: TestServices['deps'], userId: string, shown: Parameters<typeof openPage>[2]) => {
  const page = openPage(deps, userId, shown);
  open.push(page);
  return page;
};
const ask = (person: Person, text = 'Hello') => exchange(services, person.id, question(text));
const takenBy = (pages: OpenPage[]) => pages.map(({ taken }) => taken.length);

describe('an answer that ends where nobody looks', () => {
  it('is told to one of two pages, the one that was used last, with its conversation and nothing else', async () => {
    const pages = [pageOf(services.deps, alice.id, {}), pageOf(services.deps, alice.id, {})];
    const { convo } = await ask(alice);
    await expect.poll(() => pages.flatMap(({ taken }) => taken)).toHaveLength(1);
    const { conversationId } = convo;
    expect(pages.flatMap(({ offers }) => offers)).toEqual([
      { id: expect.any(String), kind: 'ready', conversationId, isSeen: false },
    ]);
  });

  it('is told to one page of two processes', async () => {
    const pages = [pageOf(services.deps, alice.id, {}), pageOf(other.deps, alice.id, {})];
    await untilTold(other.deps, services.deps);
    await ask(alice);
    await ask(alice);
    await expect.poll(() => pages.flatMap(({ taken }) => taken)).toHaveLength(2);
    await settled();
    expect(pages.flatMap(({ offers }) => offers)).toHaveLength(2);
  });

  it('is told to the next page where one sleeps, which shows nothing when it wakes', async () => {
    const awake = pageOf(services.deps, alice.id, {});
    const asleep = pageOf(other.deps, alice.id, { isVisible: true, sleeps: true });
    await untilTold(other.deps, services.deps);
    await ask(alice);
    await expect.poll(() => takenBy([awake]), { timeout: 60_000 }).toEqual([1]);
    const [offer] = asleep.offers;
    expect(offer).toBeDefined();
    expect(other.deps.notices.take(alice.id, { page: asleep.page, id: offer?.id ?? '' })).toBe(false);
  });

  it('is told to no page that cannot show it, to none of another person, and to none where nobody wants it', async () => {
    const mute = pageOf(services.deps, alice.id, { canShow: false });
    const his = pageOf(services.deps, bob.id, {});
    await ask(alice);
    await ask(bob);
    await settled();
    expect([mute, his].flatMap(({ offers }) => offers)).toEqual([]);
    expect(his.taken).toEqual([]);
  });

  it('says so where it failed; one that its person has stopped is not told', async () => {
    const page = pageOf(services.deps, alice.id, {});
    await exchange(services, alice.id, question('Hello', { model: 'fake:error-401' })).catch(() => undefined);
    await expect.poll(() => page.taken.map(({ kind }) => kind)).toEqual(['failed']);
    const asked = question('Hello', { model: 'fake:never-ending' });
    await alice.api.messages.ask(asked);
    await alice.api.messages.abort({ generationId: asked.generationId });
    await settled();
    expect(page.taken).toHaveLength(1);
  });

  it('is told to nobody in a temporary chat', async () => {
    const page = pageOf(services.deps, alice.id, {});
    await exchange(services, alice.id, question('Hello', { isTemporary: true }));
    await settled();
    expect(page.offers).toEqual([]);
  });
});

describe('an answer that somebody looks at', () => {
  it('is shown by no page, whichever process the visible one is at', async () => {
    const { convo, reply } = await ask(bob);
    await bob.api.settings.set({ notices: ALL_ON });
    const { conversationId } = convo;
    const watching = pageOf(other.deps, bob.id, { conversationId, isVisible: true, canShow: false });
    const hidden = pageOf(services.deps, bob.id, { conversationId, isVisible: false });
    await untilTold(other.deps, services.deps);
    await exchange(services, bob.id, followUp('And now?', { convo, reply }));
    await expect.poll(() => watching.taken).toMatchObject([{ conversationId, isSeen: true }]);
    await settled();
    expect(hidden.offers).toEqual([]);
  });

  it('is shown by another page once that page has gone to sleep', async () => {
    const { convo, reply } = await ask(alice);
    const { conversationId } = convo;
    pageOf(services.deps, alice.id, { conversationId, isVisible: true, sleeps: true });
    const phone = pageOf(other.deps, alice.id, {});
    await untilTold(other.deps, services.deps);
    await exchange(services, alice.id, followUp('And now?', { convo, reply }));
    await expect.poll(() => phone.taken, { timeout: 60_000 }).toMatchObject([{ conversationId, isSeen: false }]);
  });
});

describe('an offer', () => {
  it('is taken once, by its page and its person only, and not by a guess', async () => {
    const page = pageOf(services.deps, alice.id, { sleeps: true });
    await ask(alice);
    await expect.poll(() => page.offers).toHaveLength(1);
    const { id = '' } = page.offers[0] ?? {};
    const { take } = services.deps.notices;
    expect(take(bob.id, { page: page.page, id })).toBe(false);
    expect(take(alice.id, { page: randomUUID(), id })).toBe(false);
    expect(take(alice.id, { page: page.page, id: randomUUID() })).toBe(false);
    expect(await alice.api.notices.take({ page: page.page, id })).toBe(true);
    expect(await alice.api.notices.take({ page: page.page, id })).toBe(false);
  });
});

/** Waits for what this process is still telling. */
async function settled(): Promise<void> {
  await services.deps.notices.settled();
}
