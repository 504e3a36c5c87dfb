import { addToTree, buildTree, latestLeaf, pathTo, listSiblings } from '@parley/schema/messages/tree';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

interface Row {
  messageId: string;
  parentMessageId: string | null;
  seq: number;
}

/** `row(3, 2)` is message 3 under message 2; without a parent it is a root. */
function row(seq: number, parent: number | null = null): Row {
  return { messageId: String(seq), parentMessageId: parent === null ? null : String(parent), seq };
}

function ids(rows: readonly Row[]): string {
  return rows.map(({ messageId }) => messageId).join(' ');
}

describe('a thread', () => {
  const tree = buildTree([row(1), row(2, 1), row(3, 1), row(4, 3), row(5)]);

  it('is walked from its root to any message', () => {
    expect(ids(pathTo(tree, '4'))).toBe('1 3 4');
    expect(ids(pathTo(tree, '1'))).toBe('1');
    expect(pathTo(tree, 'unknown')).toEqual([]);
  });

  it('orders siblings by creation', () => {
    expect(ids(listSiblings(tree, row(3, 1)))).toBe('2 3');
    expect(ids(listSiblings(tree, row(1)))).toBe('1 5');
  });

  it('shows its newest branch', () => {
    expect(latestLeaf(tree)?.messageId).toBe('5');
    expect(latestLeaf(tree, '1')?.messageId).toBe('4');
    expect(latestLeaf(tree, '4')?.messageId).toBe('4');
  });

  it('can be in any order', () => {
    const shuffled = buildTree([row(4, 3), row(1), row(3, 1), row(2, 1)]);
    expect(ids(pathTo(shuffled, '4'))).toBe('1 3 4');
    expect(ids(listSiblings(shuffled, row(2, 1)))).toBe('2 3');
  });

  it('can be empty', () => {
    expect(latestLeaf(buildTree([]))).toBeNull();
    expect(latestLeaf(buildTree([]), 'unknown')).toBeNull();
  });
});

describe('a damaged thread', () => {
  it('shows a message whose parent is missing as a root', () => {
    const tree = buildTree([row(1), row(2, 99), row(3, 2)]);
    expect(ids(pathTo(tree, '3'))).toBe('2 3');
    expect(ids(listSiblings(tree, row(2, 99)))).toBe('1 2');
  });

  it('shows a message that is its own parent as a root', () => {
    const tree = buildTree([row(1, 1), row(2, 1)]);
    expect(ids(pathTo(tree, '2'))).toBe('1 2');
    expect(latestLeaf(tree)?.messageId).toBe('2');
  });

  it('breaks a cycle at its oldest message', () => {
    const tree = buildTree([row(1, 3), row(2, 1), row(3, 2)]);
    expect(ids(pathTo(tree, '3'))).toBe('1 2 3');
    expect(latestLeaf(tree)?.messageId).toBe('3');
  });

  it('loses no message and ends', () => {
    const anyRows = fc
      .array(fc.option(fc.integer({ min: 0, max: 30 }), { nil: null }), { maxLength: 30 })
      .map((parents) => parents.map((parent, n) => row(n, parent)));
    fc.assert(
      fc.property(anyRows, (rows) => {
        const tree = buildTree(rows);
        const shown = [...tree.children.values()].flat();
        expect(shown.map(({ seq }) => seq).toSorted((a, b) => a - b)).toEqual(rows.map(({ seq }) => seq));
        for (const one of rows) {
          const path = pathTo(tree, one.messageId);
          expect(path.at(-1)).toBe(one);
          expect(new Set(path).size).toBe(path.length);
          expect(listSiblings(tree, one)).toContain(one);
        }
        expect(latestLeaf(tree) === null).toBe(rows.length === 0);
      }),
    );
  });
});

describe('a large thread', () => {
  it('is read a bounded number of times when it nests 20,000 messages', () => {
    const { rows, reads } = counted(Array.from({ length: 20_000 }, (_, n) => row(n, n === 0 ? null : n - 1)));
    const tree = buildTree(rows);
    expect(pathTo(tree, '19999')).toHaveLength(20_000);
    expect(latestLeaf(tree)?.messageId).toBe('19999');
    expect(reads()).toBeLessThan(50 * rows.length);
  });

  it('is read a bounded number of times when one question has 500 answers', () => {
    const { rows, reads } = counted([row(0), ...Array.from({ length: 500 }, (_, n) => row(n + 1, 0))]);
    const tree = buildTree(rows);
    for (const one of rows.slice(1)) expect(listSiblings(tree, one).length).toBe(500);
    expect(latestLeaf(tree)?.messageId).toBe('500');
    expect(reads()).toBeLessThan(50 * rows.length);
  });

  /** Rows that count how often any property of any of them is read. */
  function counted<T extends object>(plain: T[]) {
    let count = 0;
    const get = (target: T, key: string | symbol) => (count++, Reflect.get(target, key));
    return { rows: plain.map((one) => new Proxy(one, { get })), reads: () => count };
  }
});

describe('a thread that grows', () => {
  it('equals one built at once', () => {
    const whole = [row(1), row(2, 1), row(3, 1), row(4, 3), row(5)];
    for (let cut = 0; cut <= whole.length; cut++) {
      const grown = addToTree(buildTree(whole.slice(0, cut)), whole.slice(cut));
      expect(grown).toEqual(buildTree(whole));
    }
  });

  it('replaces a message by a newer version, also with another number', () => {
    const tree = buildTree([row(1), row(2, 1), row(9, 1)]);
    const renumbered = { messageId: '9', parentMessageId: '1', seq: 3 };
    expect(listSiblings(addToTree(tree, [renumbered]), row(2, 1))).toEqual([row(2, 1), renumbered]);
    expect(listSiblings(tree, row(2, 1))).toEqual([row(2, 1), row(9, 1)]);
  });
});
