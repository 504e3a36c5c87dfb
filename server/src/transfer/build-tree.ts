// Tests of this room: tests/unit/transfer, tests/integration/transfer, tests/e2e/transfer.

// Sorts imported messages into a tree with parents before children.
import type { Slices } from '../platform/event-loop.ts';
import type { SourceMessage } from './source.ts';

export interface TreeMessage {
  message: SourceMessage;
  /** Index of its parent in the list. */
  parent: number | null;
  /** Number of ancestors. */
  depth: number;
  /** Unix time in milliseconds; taken from the parent when the file has none. */
  createdAt: number;
  updatedAt: number;
}

export interface BuiltTree {
  /** Parents before children, siblings in file order, otherwise by time. */
  messages: TreeMessage[];
  /** Number of messages that repeat an earlier id. */
  repeated: number;
}

/** Times outside this range are errors in the file. */
export interface TimeRange {
  from: number;
  to: number;
}

interface PlacedMessage extends TreeMessage {
  id: number;
  /** Its time for sorting: never before its parent's or an earlier sibling's. */
  time: number;
  /** Its position in a depth-first walk. */
  rank: number;
}

/**
 * Sorts messages in the order in which they will be numbered. A message with a missing parent is a root; of messages in
 * a cycle the first one is. `start` is the default time. Never recurses: a thread may be tens of thousands of messages
 * deep.
 */
export async function buildTree(
  messages: readonly SourceMessage[],
  start: number,
  range: TimeRange,
  slices: Slices,
): Promise<BuiltTree> {
  const ids = new Map<string, number>();
  for (const [index, { id }] of messages.entries()) if (!ids.has(id)) ids.set(id, index);
  const first = messages.map(({ id }, index) => ids.get(id) === index);
  const parents = messages.map(({ parentId }) => (parentId === null ? undefined : ids.get(parentId)));
  const children = listChildren(parents, first);

  const placed = new Map<number, PlacedMessage>();
  const roots = [...messages.keys()].filter((index) => first[index] && parents[index] === undefined);
  await attachBelow(roots, null);
  for (const index of messages.keys()) if (first[index] && !placed.has(index)) await attachBelow([index], null);

  const sorted = [...placed.values()].sort((a, b) => a.time - b.time || a.rank - b.rank);
  const order = new Map(sorted.map(({ id }, index) => [id, index]));
  return {
    messages: sorted.map(({ message, parent, depth, createdAt, updatedAt }) => ({
      message,
      parent: parent === null ? null : (order.get(parent) ?? null),
      depth,
      createdAt,
      updatedAt,
    })),
    repeated: messages.length - sorted.length,
  };

  /** Places siblings and their descendants. */
  async function attachBelow(siblings: readonly number[], above: PlacedMessage | null): Promise<void> {
    const waiting: PlacedMessage[] = attachSiblings(siblings, above);
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      next.rank = placed.size;
      placed.set(next.id, next);
      // Pushes one by one: tens of thousands of arguments would overflow the stack.
      for (const child of attachSiblings(children.get(next.id) ?? [], next)) waiting.push(child);
      await slices.spend();
    }
  }

  /** In reverse, so that the oldest is popped first. */
  function attachSiblings(siblings: readonly number[], above: PlacedMessage | null): PlacedMessage[] {
    let time = above?.time ?? range.from;
    const found: PlacedMessage[] = [];
    for (const id of siblings) {
      const message = messages[id];
      if (!message || placed.has(id)) continue;
      const createdAt = known(message.createdAt) ?? above?.createdAt ?? start;
      const updatedAt = Math.max(createdAt, known(message.updatedAt) ?? createdAt);
      time = Math.max(time, createdAt);
      const depth = above ? above.depth + 1 : 0;
      found.push({ id, message, parent: above?.id ?? null, depth, createdAt, updatedAt, time, rank: 0 });
    }
    return found.reverse();
  }

  function known(time: number | null): number | null {
    return time !== null && isWithin(time, range) ? time : null;
  }
}

export function isWithin(time: number, { from, to }: TimeRange): boolean {
  return time >= from && time <= to;
}

function listChildren(parents: readonly (number | undefined)[], first: readonly boolean[]): Map<number, number[]> {
  const children = new Map<number, number[]>();
  for (const [index, parent] of parents.entries()) {
    if (parent === undefined || !first[index]) continue;
    const siblings = children.get(parent);
    if (siblings) siblings.push(index);
    else children.set(parent, [index]);
  }
  return children;
}
