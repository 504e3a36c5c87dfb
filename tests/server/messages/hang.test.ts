import { hang, type Hung } from '@parley/server/messages/hang';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

describe('messages', () => {
  it('below a deleted one hang where it hung, and come back below it', () => {
    const tree = [row('a', null, 0), row('b', 'a', 1), row('c', 'b', 2), row('d', 'c', 3)];
    expect(apply(tree, ['b'])).toMatchObject([
      { id: 'a' },
      { id: 'b' },
      { id: 'c', parentId: 'a', movedFrom: 'b', depth: 1 },
      { id: 'd', parentId: 'c', movedFrom: null, depth: 2 },
    ]);
    expect(apply(apply(tree, ['b']), [])).toEqual(tree);
  });

  it('of a deleted root are roots', () => {
    const tree = [row('a', null, 0), row('b', 'a', 1), row('c', 'a', 1)];
    const moved = apply(tree, ['a']).filter(({ isDeleted }) => !isDeleted);
    expect(moved.map(({ parentId, depth }) => [parentId, depth])).toEqual([
      [null, 0],
      [null, 0],
    ]);
  });

  it('of a damaged tree stay as they are', () => {
    const tree = [row('a', 'nowhere', 7), row('b', 'c', 3), row('c', 'b', 4)];
    expect(hang(tree)).toEqual([]);
  });

  it('100,000 deep hang in a moment', () => {
    const tree = Array.from({ length: 100_000 }, (_, n) => row(`m${n}`, n === 0 ? null : `m${n - 1}`, n));
    expect(hang(tree.with(1, { ...row('m1', 'm0', 1), isDeleted: true }))).toHaveLength(99_998);
  });

  it('hang by what is deleted alone, whatever the order of deleting and bringing back', () => {
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

  it('whose parents go for good hang where they did, and still come back below the others', () => {
    fc.assert(
      fc.property(aTree, fc.nat({ max: 11 }), fc.array(fc.nat({ max: 11 }), { maxLength: 6 }), (tree, one, others) => {
        const goes = tree[one % tree.length]?.id ?? '';
        const deleted = [goes, ...others.map((n) => tree[n % tree.length]?.id ?? '')];
        const state = apply(tree, deleted);
        const moved = new Map(hang(state, new Set([goes])).map((message) => [message.id, message]));
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
  const tree: Hung[] = [];
  for (const [n, choice] of choices.entries()) {
    const parent = tree[choice % (n + 1)];
    tree.push(row(`m${n}`, parent?.id ?? null, parent ? parent.depth + 1 : 0));
  }
  return tree;
});

/** Where a message hangs, worked out from the tree as it was written. */
function placeOf(tree: readonly Hung[], deleted: ReadonlySet<string>, message: Hung) {
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
function apply(tree: readonly Hung[], deleted: readonly string[]): Hung[] {
  const marked = tree.map((message) => ({ ...message, isDeleted: deleted.includes(message.id) }));
  const moved = new Map(hang(marked).map((message) => [message.id, message]));
  return marked.map((message) => moved.get(message.id) ?? message);
}

function living(tree: readonly Hung[], deleted: ReadonlySet<string> = new Set()): Hung[] {
  return tree.filter(({ id, isDeleted }) => !isDeleted && !deleted.has(id));
}

function row(id: string, parentId: string | null, depth: number): Hung {
  return { id, parentId, movedFrom: null, depth, isDeleted: false };
}
