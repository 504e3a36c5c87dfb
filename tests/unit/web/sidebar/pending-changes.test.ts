import { describe, expect, test } from 'vitest';
import { withoutTitle, withPending, withTitle } from '../../../../web/src/convos/pending-changes.ts';
import { convoOf } from './convos.ts';

const convos = ['a', 'b', 'c'].map((conversationId) => convoOf(conversationId));

function shown(titles: ReadonlyMap<string, string>, removals: ReadonlySet<string>) {
  return withPending(convos, titles, removals).map((convo) => convo.title);
}

describe('pending changes', () => {
  test('show a rename as done and a deleted convo as gone', () => {
    expect(shown(new Map([['a', 'Apples']]), new Set(['b']))).toEqual(['Apples', 'c']);
  });

  test('show the list itself when nothing is pending', () => {
    expect(withPending(convos, new Map(), new Set())).toBe(convos);
  });

  test('keep the second of two renames when the first is answered', () => {
    const both = withTitle(withTitle(new Map(), 'a', 'first'), 'a', 'second');
    expect(withoutTitle(both, 'a', 'first').get('a')).toBe('second');
    expect(withoutTitle(both, 'a', 'second').size).toBe(0);
  });
});
