// Messages are flat rows that name their parent; the tree is computed. Everything here is iterative: a thread may be
// tens of thousands of messages deep.

interface Node {
  messageId: string;
  parentMessageId: string | null;
  seq: number;
}

export interface Tree<M extends Node> {
  byId: Map<string, M>;
  /** Children of a message in order of creation; the key null holds the roots. */
  children: Map<string | null, M[]>;
}

/** A message whose parent is missing, or which is its own ancestor, is shown as a root rather than lost. */
export function buildTree<M extends Node>(messages: readonly M[]): Tree<M> {
  const sorted = messages.toSorted((a, b) => a.seq - b.seq);
  const byId = new Map(sorted.map((message) => [message.messageId, message]));
  const children = new Map<string | null, M[]>();
  for (const message of sorted) {
    const parent = message.parentMessageId === null ? undefined : byId.get(message.parentMessageId);
    // A parent is always older. A younger one would be a damaged row, perhaps a cycle.
    const key = parent && parent.seq < message.seq ? parent.messageId : null;
    const siblings = children.get(key);
    if (siblings) siblings.push(message);
    else children.set(key, [message]);
  }
  return { byId, children };
}

/** The messages of one branch from its root to `messageId`, both included; empty when it is unknown. */
export function pathTo<M extends Node>(tree: Tree<M>, messageId: string): M[] {
  const path: M[] = [];
  let at = tree.byId.get(messageId);
  while (at) {
    path.push(at);
    const parent = at.parentMessageId === null ? undefined : tree.byId.get(at.parentMessageId);
    at = parent && parent.seq < at.seq ? parent : undefined;
  }
  return path.reverse();
}

/** The message and its siblings in order of creation. */
export function siblingsOf<M extends Node>(tree: Tree<M>, message: M): M[] {
  const parent = message.parentMessageId === null ? undefined : tree.byId.get(message.parentMessageId);
  return tree.children.get(parent && parent.seq < message.seq ? parent.messageId : null) ?? [];
}

/** The newest leaf below `messageId`, or of the whole tree when it is null; null in an empty tree. */
export function latestLeaf<M extends Node>(tree: Tree<M>, messageId: string | null = null): M | null {
  let leaf = messageId === null ? null : (tree.byId.get(messageId) ?? null);
  for (;;) {
    const next = tree.children.get(leaf?.messageId ?? null)?.at(-1);
    if (!next) return leaf;
    leaf = next;
  }
}
