// Counts what of a conversation has no place here, for the report of its import.
import type { LeftOut } from '@parley/schema/transfer/results';

/** The most kinds, and tags, that a report names. */
const NAMED_MAX = 20;

export interface LeftOutCount {
  /** Notes a message or a block of a kind that is not read. */
  add(kind: string): void;
  /** How many were noted. */
  total(): number;
  /** Undefined when nothing is left out. */
  result(tags?: readonly string[]): LeftOut | undefined;
}

export function countLeftOut(): LeftOutCount {
  const kinds = new Map<string, number>();
  let total = 0;
  return {
    add(kind) {
      total += 1;
      if (kinds.has(kind) || kinds.size < NAMED_MAX) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    },
    total: () => total,
    result: (tags = []) =>
      kinds.size + tags.length === 0
        ? undefined
        : {
            ...(kinds.size > 0 && { kinds: Object.fromEntries(kinds) }),
            ...(tags.length > 0 && { tags: tags.slice(0, NAMED_MAX) }),
          },
  };
}
