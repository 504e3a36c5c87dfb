import { reparent, type TreeRow } from '@parley/server/messages/reparent';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

describe('messages', () => {
  it('move to the parent of a deleted message, and return below it when it is restored', () => {
    const tree = [row('a', null, 0), row('b', 'a', 1), row('c', 'b', 2), row('d', 'c', 3)];
    expect(apply(tree, ['b'])).toMatchObject([
      { id: 'a' },
      { id: 'b' },
      { id: 'c', parentId: 'a', movedFrom: 'b', depth: 1 },
      { id: 'd', parentId: 'c', movedFrom: null, depth: 2 },
    ]);
    expect(apply(apply(tree, ['b']), [])).toEqual(tree);
  });

  it('become roots when their root is deleted', () => {
    const tree = [row('a', null, 0), row('b', 'a', 1), row('c', 'a', 1)];
    const moved = apply(tree, ['a']).filter(({ isDeleted }) => !isDeleted);
    expect(moved.map(({ parentId, depth }) => [parentId, depth])).toEqual([
      [null, 0],
      [null, 0],
    ]);
  });

  it('keep their parents in a damaged tree', () => {
    const tree = [row('a', 'nowhere', 7), row('b', 'c', 3), row('c', 'b', 4)];
    expect(reparent(tree)).toEqual([]);
  });

  it('100,000 levels deep are moved', () => {
    const tree = Array.from({ length: 100_000 }, (_, n) => row(`m${n}`, n === 0 ? null : `m${n - 1}`, n));
    expect(reparent(tree.with(1, { ...row('m1', 'm0', 1), isDeleted: true }))).toHaveLength(99_998);
  });

  it('have parents that depend on the deleted set only, not on the order of deletions', () => {
    fc.assert(
      fc.property(aTree, fc.array(fc.nat({ max: 11 }), { maxLength: 12 }), (tree, deeds) => {
        let state = tree;
        const deleted = new Set<string>();
        for (const n of deeds) {
          const id = tree[n % tree.length]?.id ?? '';
          if (!deleted.delete(id)) deleted.add(id);
          state = apply(state, [...deleted]);
        }
        expect(living(state)).toEqual(living(apply(tree, [...deleted])));
        expect(living(state)).toEqual(
          living(
            tree.map((one) => ({ ...one, ...placeOf(tree, deleted, one) })),
            deleted,
          ),
        );
        expect(apply(state, [])).toEqual(tree);
      }),
    );
  });

  it('keep their place when their parents are removed permanently, and return below the others', () => {
    fc.assert(
      fc.property(aTree, fc.nat({ max: 11 }), fc.array(fc.nat({ max: 11 }), { maxLength: 6 }), (tree, one, others) => {
        const goes = tree[one % tree.length]?.id ?? '';
        const deleted = [goes, ...others.map((n) => tree[n % tree.length]?.id ?? '')];
        const state = apply(tree, deleted);
        const moved = new Map(reparent(state, new Set([goes])).map((message) => [message.id, message]));
        const kept = state.map((message) => moved.get(message.id) ?? message).filter(({ id }) => id !== goes);
        const before = living(state).map(({ id, parentId }) => [id, parentId]);
        expect(living(kept).map(({ id, parentId }) => [id, parentId])).toEqual(before);
        // Without it from the start is the same as without it at last.
        const without = apply(tree, [goes]).filter(({ id }) => id !== goes);
        const back = apply(kept, []).map(({ id, parentId }) => [id, parentId]);
        expect(back).toEqual(without.map(({ id, parentId }) => [id, parentId]));
        expect(apply(kept, []).every(({ movedFrom }) => movedFrom === null)).toBe(true);
      }),
    );
  });
});

/** Up to twelve messages, each below an earlier one or none. */
const aTree = fc.array(fc.nat(), { minLength: 1, maxLength: 12 }).map((choices) => {
  const tree: TreeRow[] = [];
  for (const [n, choice] of choices.entries()) {
    const parent = tree[choice % (n + 1)];
    tree.push(row(`m${n}`, parent?.id ?? null, parent ? parent.depth + 1 : 0));
  }
  return tree;
});

/** Where a message hangs, worked out from the tree as it was written. */
function placeOf(tree: readonly TreeRow[], deleted: ReadonlySet<string>, message: TreeRow) {
  const parentOf = (id: string | null) => tree.find((one) => one.id === id)?.parentId ?? null;
  const climb = (from: string | null) => {
    let at = from;
    while (at !== null && deleted.has(at)) at = parentOf(at);
    return at;
  };
  const parentId = climb(message.parentId);
  let depth = 0;
  for (let at = parentId; at !== null; at = climb(parentOf(at))) depth += 1;
  return { parentId, depth, movedFrom: parentId === message.parentId ? null : message.parentId };
}

/** The tree with exactly these deleted. */
function apply(tree: readonly TreeRow[], deleted: readonly string[]): TreeRow[] {
  const marked = tree.map((message) => ({ ...message, isDeleted: deleted.includes(message.id) }));
  const moved = new Map(reparent(marked).map((message) => [message.id, message]));
  return marked.map((message) => moved.get(message.id) ?? message);
}

function living(tree: readonly TreeRow[], deleted: ReadonlySet<string> = new Set()): TreeRow[] {
  return tree.filter(({ id, isDeleted }) => !isDeleted && !deleted.has(id));
}

function row(id: string, parentId: string | null, depth: number): TreeRow {
  return { id, parentId, movedFrom: null, depth, isDeleted: false };
}
