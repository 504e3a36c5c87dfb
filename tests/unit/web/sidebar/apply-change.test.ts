import type { Convo } from '@parley/schema/convos/convos';
import { describe, expect, test } from 'vitest';
import {
  applyChange as applyTo,
  type ConvoPage,
  type ListChange,
} from '../../../../web/src/convos/changes/apply-change.ts';
import { applyToPinned, isArchived, isListed } from '../../../../web/src/convos/convo-lists.ts';
import { withMovedPin } from '../../../../web/src/convos/pin-order.ts';
import { convoOf } from './convos.ts';

function applyChange(loaded: ConvoPage[], change: ListChange): ConvoPage[] {
  return applyTo(loaded, change, isListed);
}

function convo(conversationId: string, minute: number, rest: Partial<Convo> = {}): Convo {
  const at = new Date(Date.UTC(2024, 4, 1, 12, minute)).toISOString();
  return convoOf(conversationId, 1, { createdAt: at, updatedAt: at, ...rest });
}

/** Two loaded pages (e d | c b), with or without a third one to come. */
function pages(nextCursor: string | null = 'more'): ConvoPage[] {
  return [
    { convos: [convo('e', 50), convo('d', 40)], nextCursor: 'second' },
    { convos: [convo('c', 30), convo('b', 20)], nextCursor },
  ];
}

function ids(loaded: ConvoPage[]): string[][] {
  return loaded.map((page) => page.convos.map((one) => one.conversationId));
}

describe('a change to the list of convos', () => {
  test('adds a new convo at the top of the first page', () => {
    expect(ids(applyChange(pages(), { type: 'convo', convo: convo('f', 59) }))).toEqual([
      ['f', 'e', 'd'],
      ['c', 'b'],
    ]);
  });

  test('adds the first convo to an empty list', () => {
    const empty = [{ convos: [], nextCursor: null }];
    expect(ids(applyChange(empty, { type: 'convo', convo: convo('a', 1) }))).toEqual([['a']]);
  });

  test('moves an updated convo from a later page to the top', () => {
    expect(ids(applyChange(pages(), { type: 'convo', convo: convo('b', 59) }))).toEqual([['b', 'e', 'd'], ['c']]);
  });

  test('moves it only as far up as its time', () => {
    expect(ids(applyChange(pages(), { type: 'convo', convo: convo('b', 45) }))).toEqual([['e', 'b', 'd'], ['c']]);
  });

  test('keeps the position when only its title changed', () => {
    const titled = convo('c', 30, { title: 'Sourdough', running: 'generation' });
    const changed = applyChange(pages(), { type: 'convo', convo: titled });
    expect(ids(changed)).toEqual(ids(pages()));
    expect(changed[1]?.convos[0]).toBe(titled);
  });

  test('leaves a convo older than everything loaded to its own page', () => {
    expect(ids(applyChange(pages(), { type: 'convo', convo: convo('a', 1) }))).toEqual(ids(pages()));
  });

  test('adds the oldest convo at the end when everything is loaded', () => {
    expect(ids(applyChange(pages(null), { type: 'convo', convo: convo('a', 1) }))).toEqual([
      ['e', 'd'],
      ['c', 'b', 'a'],
    ]);
  });

  test('removes a deleted convo and keeps the pages and their cursors', () => {
    const changed = applyChange(pages(), { type: 'removed', conversationId: 'd' });
    expect(ids(changed)).toEqual([['e'], ['c', 'b']]);
    expect(changed.map((page) => page.nextCursor)).toEqual(['second', 'more']);
  });

  test('ignores a removed convo that is not loaded, a reset, and changes before the first page', () => {
    const loaded = pages();
    const changed = applyChange(loaded, { type: 'removed', conversationId: 'z' });
    expect(changed.map((page, index) => page === loaded[index])).toEqual([true, true]);
    expect(applyChange(loaded, { type: 'reset' })).toBe(loaded);
    expect(applyChange([], { type: 'convo', convo: convo('a', 1) })).toEqual([]);
  });

  test('never shows a convo twice and keeps the order', () => {
    let loaded = pages(null);
    for (let step = 0; step < 300; step += 1) {
      const id = 'abcdefgh'.charAt((step * 7) % 8);
      const minute = (step * 13) % 60;
      loaded = applyChange(
        loaded,
        step % 5 === 0 ? { type: 'removed', conversationId: id } : { type: 'convo', convo: convo(id, minute) },
      );
      const shown = loaded.flatMap((page) => page.convos);
      expect(new Set(shown.map((one) => one.conversationId)).size).toBe(shown.length);
      expect(shown.map((one) => one.updatedAt)).toEqual(
        shown
          .map((one) => one.updatedAt)
          .toSorted()
          .toReversed(),
      );
    }
  });

  test('keeps unchanged pages identical', () => {
    const loaded = pages();
    const changed = applyChange(loaded, { type: 'convo', convo: convo('d', 55) });
    expect(changed[1]).toBe(loaded[1]);
  });

  test('removes a pinned or archived convo, and restores it at its time', () => {
    for (const away of [{ isPinned: true }, { isArchived: true }]) {
      const without = applyChange(pages(), { type: 'convo', convo: convo('c', 30, away) });
      expect(ids(without)).toEqual([['e', 'd'], ['b']]);
      expect(ids(applyChange(without, { type: 'convo', convo: convo('c', 30) }))).toEqual([
        ['e', 'd'],
        ['c', 'b'],
      ]);
    }
  });

  test('ignores a draft', () => {
    const loaded = pages();
    const draft = { key: 'new', text: 'half a', editedAt: '2024-05-01T12:00:00.000Z', seq: 4 };
    expect(applyChange(loaded, { type: 'draft', draft })).toBe(loaded);
  });
});

describe('a change to the archive', () => {
  test('adds what was archived and removes what was restored', () => {
    const archived = convo('c', 45, { isArchived: true });
    const kept = applyTo(pages(), { type: 'convo', convo: archived }, isArchived);
    expect(ids(kept)).toEqual([['e', 'c', 'd'], ['b']]);
    expect(ids(applyTo(kept, { type: 'convo', convo: convo('c', 45) }, isArchived))).toEqual([['e', 'd'], ['b']]);
  });
});

describe('a change to the pinned convos', () => {
  const pinned = [convo('e', 50, { isPinned: true }), convo('d', 40, { isPinned: true })];
  const idsOf = (convos: Convo[]) => convos.map((one) => one.conversationId);

  test('adds what was pinned, newest first', () => {
    expect(idsOf(applyToPinned(pinned, { type: 'convo', convo: convo('c', 45, { isPinned: true }) }))).toEqual([
      'e',
      'c',
      'd',
    ]);
    expect(idsOf(applyToPinned(pinned, { type: 'convo', convo: convo('a', 1, { isPinned: true }) }))).toEqual([
      'e',
      'd',
      'a',
    ]);
  });

  test('removes what was unpinned, archived or deleted', () => {
    expect(idsOf(applyToPinned(pinned, { type: 'convo', convo: convo('e', 50) }))).toEqual(['d']);
    const archived = convo('e', 50, { isPinned: true, isArchived: true });
    expect(idsOf(applyToPinned(pinned, { type: 'convo', convo: archived }))).toEqual(['d']);
    expect(idsOf(applyToPinned(pinned, { type: 'removed', conversationId: 'd' }))).toEqual(['e']);
  });

  test('keeps the order that their user has given them, below those that are new', () => {
    const arranged = [
      convo('d', 40, { isPinned: true, pinPosition: 1 }),
      convo('e', 50, { isPinned: true, pinPosition: 2 }),
    ];
    const upsert = (one: Convo, to = arranged) => applyToPinned(to, { type: 'convo', convo: one });
    expect(idsOf(upsert(convo('e', 55, { isPinned: true, pinPosition: 2 })))).toEqual(['d', 'e']);
    expect(idsOf(upsert(convo('a', 1, { isPinned: true })))).toEqual(['a', 'd', 'e']);
    expect(idsOf(upsert(convo('d', 40, { isPinned: true, pinPosition: 3 })))).toEqual(['e', 'd']);
    expect(idsOf(upsert(convo('d', 40, { isPinned: true })))).toEqual(['d', 'e']);
    expect(idsOf(upsert(convo('d', 40)))).toEqual(['e']);
    expect(idsOf(applyToPinned(arranged, { type: 'removed', conversationId: 'd' }))).toEqual(['e']);
  });

  test('moves one among them, and numbers all of them', () => {
    const three = ['a', 'b', 'c'].map((id) => convo(id, 1, { isPinned: true }));
    const places = (convos: Convo[]) => convos.map((one) => `${one.conversationId}${one.pinPosition}`);
    expect(places(withMovedPin(three, 'c', 0))).toEqual(['c1', 'a2', 'b3']);
    expect(places(withMovedPin(three, 'a', 1))).toEqual(['b1', 'a2', 'c3']);
    expect(places(withMovedPin(three, 'a', 9))).toEqual(['b1', 'c2', 'a3']);
    expect(withMovedPin(three, 'a', 0)).toBe(three);
    expect(withMovedPin(three, 'nobody', 1)).toBe(three);
  });

  test('ignores a convo that was not pinned', () => {
    expect(idsOf(applyToPinned(pinned, { type: 'convo', convo: convo('b', 55) }))).toEqual(['e', 'd']);
  });
});
