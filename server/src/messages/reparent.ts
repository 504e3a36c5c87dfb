// Computes the visible parent of each message from which messages are deleted. Pure, and one pass at any depth.

/** The tree fields of a message; deleted messages are included. */
export interface TreeRow {
  id: string;
  parentId: string | null;
  /** The deleted message that is its original parent, while it is reparented to an ancestor. */
  movedFrom: string | null;
  /** The number of ancestors. */
  depth: number;
  isDeleted: boolean;
}

type TreePosition = Pick<TreeRow, 'parentId' | 'movedFrom' | 'depth'>;

/**
 * Returns the messages whose parent changes, given all messages of a conversation, oldest first. A message's parent is
 * its original parent, or that one's nearest ancestor that is not deleted. So the tree depends only on what is deleted,
 * not on the order of deletions and restores. Messages in `gone` are about to be purged: no row refers to them any
 * more.
 */
export function reparent(messages: readonly TreeRow[], gone: ReadonlySet<string> = new Set()): TreeRow[] {
  /** The visible parent for children of a message: the message itself unless it is deleted. */
  const visible = new Map<string, string | null>();
  /** The original parent of a message that is being purged. */
  const ancestors = new Map<string, string | null>();
  const depths = new Map<string, number>();
  const moved: TreeRow[] = [];
  for (const message of messages) {
    const writtenBelow = message.movedFrom ?? message.parentId;
    const origin = writtenBelow === null ? null : survivingAncestor(writtenBelow);
    const parentId = origin === null ? null : visibleAncestor(origin);
    if (gone.has(message.id)) ancestors.set(message.id, origin);
    visible.set(message.id, message.isDeleted ? parentId : message.id);
    const depth = parentId === null ? 0 : (depths.get(parentId) ?? message.depth - 1) + 1;
    depths.set(message.id, depth);
    const convoKey: TreePosition = { parentId, movedFrom: origin === parentId ? null : origin, depth };
    // A deleted message keeps its parent for a restore, unless its original parent is purged.
    const isKept = message.isDeleted && origin === writtenBelow;
    if (!isKept && !gone.has(message.id) && isElsewhere(message, convoKey)) moved.push({ ...message, ...convoKey });
  }
  return moved;

  function survivingAncestor(id: string): string | null {
    const heir = ancestors.get(id);
    return heir === undefined ? id : heir;
  }

  /** A damaged row may name a missing or a younger parent: it stays as it is. */
  function visibleAncestor(id: string): string | null {
    const holder = visible.get(id);
    return holder === undefined ? id : holder;
  }
}

function isElsewhere(message: TreeRow, convoKey: TreePosition): boolean {
  return (
    message.parentId !== convoKey.parentId ||
    message.movedFrom !== convoKey.movedFrom ||
    message.depth !== convoKey.depth
  );
}
