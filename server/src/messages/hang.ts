// Where messages hang, given which of them are deleted. Pure, and one pass however deep the tree is.

/** A message of a conversation, deleted ones too, as far as the tree is concerned. */
export interface Hung {
  id: string;
  parentId: string | null;
  /** The deleted message that it was written below, while it hangs higher up. */
  movedFrom: string | null;
  /** How many messages stand above it. */
  depth: number;
  isDeleted: boolean;
}

type Place = Pick<Hung, 'parentId' | 'movedFrom' | 'depth'>;

/**
 * The messages whose place is another one now, given all of a conversation oldest first. A message hangs below the one
 * it was written below, or, while that is deleted, where that one hung. So the tree follows from what is deleted alone,
 * in whichever order things are deleted and brought back. `gone` are about to go for good: nothing remembers them.
 */
export function hang(messages: readonly Hung[], gone: ReadonlySet<string> = new Set()): Hung[] {
  /** Where what was written below a message hangs: itself unless it is deleted. */
  const holders = new Map<string, string | null>();
  /** What a message that goes for good was written below. */
  const heirs = new Map<string, string | null>();
  const depths = new Map<string, number>();
  const moved: Hung[] = [];
  for (const message of messages) {
    const writtenBelow = message.movedFrom ?? message.parentId;
    const origin = writtenBelow === null ? null : heirOf(writtenBelow);
    const parentId = origin === null ? null : holderOf(origin);
    if (gone.has(message.id)) heirs.set(message.id, origin);
    holders.set(message.id, message.isDeleted ? parentId : message.id);
    const depth = parentId === null ? 0 : (depths.get(parentId) ?? message.depth - 1) + 1;
    depths.set(message.id, depth);
    const place: Place = { parentId, movedFrom: origin === parentId ? null : origin, depth };
    // A deleted message keeps its place for when it comes back, unless what it was written below goes for good.
    const isKept = message.isDeleted && origin === writtenBelow;
    if (!isKept && !gone.has(message.id) && isElsewhere(message, place)) moved.push({ ...message, ...place });
  }
  return moved;

  function heirOf(id: string): string | null {
    const heir = heirs.get(id);
    return heir === undefined ? id : heir;
  }

  /** A damaged row may name a parent that is not there, or a younger one: it stays as it is. */
  function holderOf(id: string): string | null {
    const holder = holders.get(id);
    return holder === undefined ? id : holder;
  }
}

function isElsewhere(message: Hung, place: Place): boolean {
  return message.parentId !== place.parentId || message.movedFrom !== place.movedFrom || message.depth !== place.depth;
}
