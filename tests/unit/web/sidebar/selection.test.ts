import { describe, expect, test } from 'vitest';
import {
  extend,
  isLoaded,
  NO_SELECTION,
  selectAll,
  SELECTION_MAX,
  toggle,
  type Selection,
} from '../../../../web/src/convos/selection.ts';
import { convoOf } from './convos.ts';

const convos = [...'abcdefgh'].map((id) => convoOf(id));
const [a, b, c, , e, , g] = convos;

function idsOf({ chosen }: Selection): string {
  return [...chosen.keys()].toSorted().join('');
}

describe('selecting conversations', () => {
  test('adds one and removes it', () => {
    if (!a || !b) throw new Error('No convos');
    const both = toggle(toggle(NO_SELECTION, a), b);
    expect(idsOf(both)).toBe('ab');
    expect(idsOf(toggle(both, a))).toBe('b');
  });

  test('adds a range from the last one, up or down the list', () => {
    if (!a || !c || !e || !g) throw new Error('No convos');
    expect(idsOf(extend(toggle(NO_SELECTION, c), e, convos))).toBe('cde');
    expect(idsOf(extend(toggle(NO_SELECTION, e), c, convos))).toBe('cde');
    expect(idsOf(extend(extend(toggle(NO_SELECTION, c), a, convos), e, convos))).toBe('abcde');
  });

  test('begins a range with the clicked one when there is none before', () => {
    if (!c) throw new Error('No convos');
    expect(idsOf(extend(NO_SELECTION, c, convos))).toBe('c');
    expect(idsOf(extend({ chosen: new Map(), anchor: 'gone' }, c, convos))).toBe('c');
  });

  test('adds all, loaded or not, up to the maximum of the server', () => {
    const all = selectAll(NO_SELECTION, [...'abcdefghij'], convos);
    expect(idsOf(all)).toBe('abcdefghij');
    expect([...all.chosen.values()].filter(isLoaded)).toEqual(convos);
    const many = Array.from({ length: SELECTION_MAX + 5 }, (_, n) => `many ${n}`);
    expect(selectAll(NO_SELECTION, many, []).chosen.size).toBe(SELECTION_MAX);
  });
});
