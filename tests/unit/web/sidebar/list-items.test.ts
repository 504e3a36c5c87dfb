import { describe, expect, test } from 'vitest';
import { listItems } from '../../../../web/src/app/sidebar/items/list-items.ts';
import { convoOf } from './convos.ts';

const now = new Date(2024, 4, 20, 15);

function shown(pinned: string[], others: [string, number][]): string[] {
  const items = listItems(
    pinned.map((id) => convoOf(id, 1, { isPinned: true })),
    others.map(([id, day]) => convoOf(id, day)),
    now,
    'en-US',
  );
  return items.map((item) =>
    item.kind === 'heading' ? `${item.group.id} (${item.group.size})` : `${item.position}. ${item.key}`,
  );
}

describe('the list of the sidebar', () => {
  test('has the pinned first, then the dates, each under a heading and counted from 1', () => {
    expect(
      shown(
        ['p', 'q'],
        [
          ['a', 20],
          ['b', 20],
          ['c', 19],
        ],
      ),
    ).toEqual(['pinned (2)', '1. p', '2. q', 'today (2)', '1. a', '2. b', 'yesterday (1)', '1. c']);
  });

  test('has no heading without rows', () => {
    expect(shown([], [])).toEqual([]);
    expect(shown(['p'], [])).toEqual(['pinned (1)', '1. p']);
  });

  test('never has a convo twice, even while the two lists disagree', () => {
    expect(
      shown(
        ['a'],
        [
          ['a', 20],
          ['b', 20],
        ],
      ),
    ).toEqual(['pinned (1)', '1. a', 'today (1)', '1. b']);
  });
});
