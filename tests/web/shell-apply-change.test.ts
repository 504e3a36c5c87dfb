import { FRESH_CONVO, type Convo } from '@parley/schema/convos';
import { describe, expect, test } from 'vitest';
import { applyChange } from '../../web/src/shell/apply-change.ts';
import type { ConvoPage } from '../../web/src/shell/apply-change.ts';

function convo(conversationId: string, minute: number, rest: Partial<Convo> = {}): Convo {
  const at = new Date(Date.UTC(2024, 4, 1, 12, minute)).toISOString();
  return {
    ...FRESH_CONVO,
    conversationId,
    title: conversationId,
    endpoint: 'openAI',
    endpointType: 'openAI',
    model: null,
    settings: {},
    createdAt: at,
    updatedAt: at,
    ...rest,
  };
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
  test('puts a new convo on top of the first page', () => {
    expect(ids(applyChange(pages(), { type: 'convo', convo: convo('f', 59) }))).toEqual([
      ['f', 'e', 'd'],
      ['c', 'b'],
    ]);
  });

  test('puts the first convo into an empty list', () => {
    const empty = [{ convos: [], nextCursor: null }];
    expect(ids(applyChange(empty, { type: 'convo', convo: convo('a', 1) }))).toEqual([['a']]);
  });

  test('moves an updated convo from a later page to the top', () => {
    expect(ids(applyChange(pages(), { type: 'convo', convo: convo('b', 59) }))).toEqual([['b', 'e', 'd'], ['c']]);
  });

  test('moves it only as far up as its time says', () => {
    expect(ids(applyChange(pages(), { type: 'convo', convo: convo('b', 45) }))).toEqual([['e', 'b', 'd'], ['c']]);
  });

  test('leaves the row where it is when only its title came', () => {
    const titled = convo('c', 30, { title: 'Sourdough', running: 'generation' });
    const changed = applyChange(pages(), { type: 'convo', convo: titled });
    expect(ids(changed)).toEqual(ids(pages()));
    expect(changed[1]?.convos[0]).toBe(titled);
  });

  test('leaves a convo older than everything loaded to its own page', () => {
    expect(ids(applyChange(pages(), { type: 'convo', convo: convo('a', 1) }))).toEqual(ids(pages()));
  });

  test('puts the oldest convo last when everything is loaded', () => {
    expect(ids(applyChange(pages(null), { type: 'convo', convo: convo('a', 1) }))).toEqual([
      ['e', 'd'],
      ['c', 'b', 'a'],
    ]);
  });

  test('takes a removed convo out and keeps the pages and their cursors', () => {
    const changed = applyChange(pages(), { type: 'removed', conversationId: 'd' });
    expect(ids(changed)).toEqual([['e'], ['c', 'b']]);
    expect(changed.map((page) => page.nextCursor)).toEqual(['second', 'more']);
  });

  test('does nothing for a removed convo that is not loaded, for a reset, and before the first page', () => {
    const loaded = pages();
    const changed = applyChange(loaded, { type: 'removed', conversationId: 'z' });
    expect(changed.map((page, index) => page === loaded[index])).toEqual([true, true]);
    expect(applyChange(loaded, { type: 'reset' })).toBe(loaded);
    expect(applyChange([], { type: 'convo', convo: convo('a', 1) })).toEqual([]);
  });

  test('never shows a convo twice and keeps the order, whatever comes', () => {
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

  test('leaves untouched pages as they are', () => {
    const loaded = pages();
    const changed = applyChange(loaded, { type: 'convo', convo: convo('d', 55) });
    expect(changed[1]).toBe(loaded[1]);
  });
});
