import { randomUUID } from 'node:crypto';
import { createWhoIsLooking, type WhoIsLooking } from '@parley/server/notices/who-is-looking';
import { describe, expect, it } from 'vitest';

const alice = randomUUID();
const chat = randomUUID();

/** Processes that hear each other, with one clock. */
function open(processes = 1) {
  const clock = { now: 1_000_000 };
  const listeners = new Map<string, ((rest: string) => void)[]>();
  const tell = (topic: string) => {
    const colon = topic.indexOf(':') + 1;
    for (const listener of listeners.get(topic.slice(0, colon)) ?? []) listener(topic.slice(colon));
  };
  const on = (prefix: string, listener: (rest: string) => void) =>
    void listeners.set(prefix, [...(listeners.get(prefix) ?? []), listener]);
  const all = Array.from({ length: processes }, () =>
    createWhoIsLooking({ tell, pubsub: { on }, now: () => clock.now }),
  );
  return { all, looking: all[0] as WhoIsLooking, tell, clock };
}

const page = (over: object = {}) => ({
  page: randomUUID(),
  conversationId: chat,
  isVisible: true,
  canShow: true,
  ...over,
});
const found = (looking: WhoIsLooking, conversationId = chat) => {
  const { watching, able } = looking.find(alice, conversationId);
  return { watching: watching.map((one) => one.page), able: able.map((one) => one.page) };
};

describe('who is looking', () => {
  it('is a visible page that has the conversation open, and nobody else', () => {
    const { looking } = open();
    const shown = page();
    const hidden = page({ isVisible: false });
    const elsewhere = page({ conversationId: randomUUID() });
    const mute = page({ canShow: false, conversationId: null });
    for (const one of [shown, hidden, elsewhere, mute]) looking.show(alice, one);
    expect(found(looking).watching).toEqual([shown.page]);
    expect(found(looking).able.toSorted()).toEqual([shown.page, hidden.page, elsewhere.page].toSorted());
    expect(found(looking, randomUUID()).watching).toEqual([]);
    expect(looking.find(randomUUID(), chat)).toEqual({ watching: [], able: [] });
  });

  it('asks a visible page first, then the one that was used last', () => {
    const { looking, clock } = open();
    const other = { conversationId: randomUUID() };
    const [older, newer, visible] = [page({ ...other, isVisible: false }), page({ isVisible: false }), page(other)];
    for (const one of [visible, older, newer]) {
      clock.now += 1000;
      looking.show(alice, one);
    }
    expect(found(looking).able).toEqual([visible.page, newer.page, older.page]);
  });

  it('asks the page again that has just taken a notice, for a minute, so that it counts them', () => {
    const { looking, clock } = open();
    const [older, newer] = [page({ isVisible: false }), page({ isVisible: false })];
    for (const one of [older, newer]) {
      clock.now += 1000;
      looking.show(alice, one);
    }
    looking.took(alice, older.page);
    expect(found(looking).able).toEqual([older.page, newer.page]);
    looking.show(alice, older);
    clock.now += 60_000;
    looking.show(alice, newer);
    expect(found(looking).able).toEqual([newer.page, older.page]);
    looking.took(alice, randomUUID());
    looking.took(randomUUID(), older.page);
  });

  it('is known to all processes, and gone with the page, also where it has begun again before', () => {
    const { all, looking } = open(2);
    const shown = page();
    const first = all[1]?.show(alice, shown);
    expect(found(looking).watching).toEqual([shown.page]);
    const second = all[1]?.show(alice, { ...shown, isVisible: false });
    first?.end();
    expect(found(looking)).toEqual({ watching: [], able: [shown.page] });
    second?.end();
    expect(found(looking)).toEqual({ watching: [], able: [] });
  });

  it('is not a page whose process has been silent for minutes', () => {
    const { all, looking, clock } = open(2);
    all[1]?.show(alice, page());
    clock.now += 200_000;
    expect(found(looking)).toEqual({ watching: [], able: [] });
  });

  it('is not a page that did not answer, until it says something again', () => {
    const { looking } = open();
    const shown = page();
    looking.show(alice, shown);
    for (const one of looking.find(alice, chat).watching) looking.forget(one);
    expect(found(looking).watching).toEqual([]);
    looking.show(alice, shown);
    expect(found(looking).watching).toEqual([shown.page]);
  });

  it('takes nothing that is no page', () => {
    const { looking, tell } = open();
    for (const text of ['', 'e30', '!', Buffer.from('{"userId":1}').toString('base64url')]) tell(`notice-page:${text}`);
    tell('notice-page-gone:');
    expect(found(looking)).toEqual({ watching: [], able: [] });
  });
});
