import type { SourceMessage } from './source.ts';

export interface Arranged {
  message: SourceMessage;
  /** Its parent's place in the list. */
  parent: number | null;
  /** How many messages stand above it. */
  depth: number;
  /** In milliseconds since 1970; what the file does not tell is taken from the message above. */
  createdAt: number;
  updatedAt: number;
}

export interface Arrangement {
  /** Parents before children, siblings in the order of the file, and else by time. */
  messages: Arranged[];
  /** Messages whose id an earlier one has. */
  repeated: number;
}

/** Times outside of these are a mistake of whoever wrote the file. */
export interface TimeRange {
  from: number;
  to: number;
}

interface Placed extends Arranged {
  id: number;
  /** Its time in the order: never before its parent's or an elder sibling's. */
  time: number;
  /** Its place in a walk from the roots. */
  rank: number;
}

/**
 * Puts messages into the order in which they will be numbered. A message whose parent is not there is a root; of
 * messages that are each other's ancestors the first is one. `start` is the time of what tells none. Never recurses:
 * a thread may be tens of thousands of messages deep.
 */
export function arrange(messages: readonly SourceMessage[], start: number, range: TimeRange): Arrangement {
  const ids = new Map<string, number>();
  for (const [index, { id }] of messages.entries()) if (!ids.has(id)) ids.set(id, index);
  const first = messages.map(({ id }, index) => ids.get(id) === index);
  const parents = messages.map(({ parentId }) => (parentId === null ? undefined : ids.get(parentId)));
  const children = listChildren(parents, first);

  const placed = new Map<number, Placed>();
  const roots = [...messages.keys()].filter((index) => first[index] && parents[index] === undefined);
  placeBelow(roots, null);
  for (const index of messages.keys()) if (first[index] && !placed.has(index)) placeBelow([index], null);

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

  /** Places siblings and everything below them. */
  function placeBelow(siblings: readonly number[], above: Placed | null): void {
    const waiting: Placed[] = placeSiblings(siblings, above);
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      next.rank = placed.size;
      placed.set(next.id, next);
      waiting.push(...placeSiblings(children.get(next.id) ?? [], next));
    }
  }

  /** In reverse, so that the eldest is taken first. */
  function placeSiblings(siblings: readonly number[], above: Placed | null): Placed[] {
    let time = above?.time ?? range.from;
    const found: Placed[] = [];
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
