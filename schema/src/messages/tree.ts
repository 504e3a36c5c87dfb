// Builds the message tree from flat rows that name their parent. Everything here is iterative: a thread may be tens of
// thousands of messages deep.

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
  const sorted = messages.toSorted(inOrder);
  const byId = new Map(sorted.map((message) => [message.messageId, message]));
  const children = new Map<string | null, M[]>();
  for (const message of sorted) {
    const key = parentKey(byId, message);
    const siblings = children.get(key);
    if (siblings) siblings.push(message);
    else children.set(key, [message]);
  }
  return { byId, children };
}

/**
 * Adds messages to the tree, each replacing the one with its id if there is one. Unchanged parts are shared with the
 * old tree, so that an addition is cheap in a thread of thousands. None may be older than a child it has.
 */
export function addToTree<M extends Node>(tree: Tree<M>, messages: readonly M[]): Tree<M> {
  if (messages.length === 0) return tree;
  const byId = new Map(tree.byId);
  const children = new Map(tree.children);
  for (const message of messages) {
    const known = byId.get(message.messageId);
    if (known) {
      const key = parentKey(tree.byId, known);
      children.set(
        key,
        (children.get(key) ?? []).filter(({ messageId }) => messageId !== known.messageId),
      );
    }
    byId.set(message.messageId, message);
  }
  for (const message of new Set(messages.map(({ messageId }) => byId.get(messageId)))) {
    if (!message) continue;
    const key = parentKey(byId, message);
    children.set(key, [...(children.get(key) ?? []), message].toSorted(inOrder));
  }
  return { byId, children };
}

/** The messages of one branch from its root to `messageId`, both included; empty when it is unknown. */
export function pathTo<M extends Node>(tree: Tree<M>, messageId: string): M[] {
  const path: M[] = [];
  let at = tree.byId.get(messageId);
  while (at) {
    path.push(at);
    at = parentIn(tree.byId, at);
  }
  return path.reverse();
}

/** The message and its siblings in order of creation. */
export function listSiblings<M extends Node>(tree: Tree<M>, message: Node): M[] {
  return tree.children.get(parentKey(tree.byId, message)) ?? [];
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

/** The key of a message's parent in `children`. */
function parentKey(byId: ReadonlyMap<string, Node>, message: Node): string | null {
  return parentIn(byId, message)?.messageId ?? null;
}

/** The parent of a message. A parent is always older: a younger one would be a damaged row, perhaps a cycle. */
export function parentIn<M extends Node>(byId: ReadonlyMap<string, M>, { parentMessageId, seq }: Node): M | undefined {
  const parent = parentMessageId === null ? undefined : byId.get(parentMessageId);
  return parent && parent.seq < seq ? parent : undefined;
}

function inOrder(a: Node, b: Node): number {
  return a.seq - b.seq;
}
