// What the browser has of a stored conversation: the whole tree, and those messages that came near the view. The values
// are never changed, only replaced.
import type { Message } from '@parley/schema/messages';
import { nodeOf, nodesOf, type ThreadNode, type ThreadStart } from '@parley/schema/thread';
import { addToTree, buildTree, type Tree } from '@parley/schema/tree';

export interface StoredThread {
  /** Of all messages, in the order of creation. */
  nodes: readonly ThreadNode[];
  tree: Tree<ThreadNode>;
  /** The messages that are here, by id; those that came last stand last. */
  bodies: ReadonlyMap<string, Message>;
  /** Up to which change of the conversation's messages it is known. */
  messagesSeq: number;
  /** The reply that was being written when it was read. */
  runningReply: string | null;
}

/** Bytes of messages that are kept; those that came first go first. */
const KEPT_BYTES = 4_000_000;
/** So many of the last are kept whatever they take: no screen shows more that are as long as that. */
const KEPT = 24;

export const EMPTY_THREAD: StoredThread = {
  nodes: [],
  tree: buildTree<ThreadNode>([]),
  bodies: new Map(),
  messagesSeq: 0,
  runningReply: null,
};

/** A conversation as the server gave it, with what is known of it already. */
export function startThread(start: ThreadStart, known: StoredThread = EMPTY_THREAD): StoredThread {
  const nodes = nodesOf(start.outline);
  const tree = buildTree(nodes);
  const bodies = new Map<string, Message>();
  for (const body of [...known.bodies.values(), ...start.bodies]) {
    const node = tree.byId.get(body.messageId);
    if (node && isCurrent(body, node)) bodies.set(node.messageId, placed(body, node));
  }
  const { messagesSeq, runningReply } = start;
  return { nodes, tree, bodies, messagesSeq, runningReply };
}

/** With messages that were read; none of them is new. */
export function withBodies(thread: StoredThread, read: readonly Message[]): StoredThread {
  const bodies = new Map(thread.bodies);
  for (const body of read) {
    const node = thread.tree.byId.get(body.messageId);
    bodies.delete(body.messageId);
    if (node) bodies.set(body.messageId, placed(body, node));
  }
  return { ...thread, bodies: kept(bodies, thread.tree) };
}

/** With messages that are new or have changed. */
export function withMessages(thread: StoredThread, changed: readonly Message[]): StoredThread {
  const tree = addToTree(thread.tree, changed.map(nodeOf));
  const nodes = [...tree.byId.values()].toSorted((a, b) => a.seq - b.seq);
  return withBodies({ ...thread, tree, nodes }, changed);
}

/** Known up to `messagesSeq`, if it was not further already. */
export function coveredTo(thread: StoredThread, messagesSeq: number): StoredThread {
  return messagesSeq > thread.messagesSeq ? { ...thread, messagesSeq } : thread;
}

function isCurrent(body: Message, node: ThreadNode): boolean {
  return Date.parse(body.updatedAt) >= node.version;
}

/** A message moves up when the one above it is deleted, which is no change of its own. */
function placed(body: Message, { parentMessageId }: ThreadNode): Message {
  return body.parentMessageId === parentMessageId ? body : { ...body, parentMessageId };
}

function kept(bodies: Map<string, Message>, { byId }: Tree<ThreadNode>): Map<string, Message> {
  const sizeOf = (messageId: string) => byId.get(messageId)?.size ?? 0;
  let bytes = 0;
  for (const messageId of bodies.keys()) bytes += sizeOf(messageId);
  for (const messageId of bodies.keys()) {
    if (bytes <= KEPT_BYTES || bodies.size <= KEPT) break;
    bytes -= sizeOf(messageId);
    bodies.delete(messageId);
  }
  return bodies;
}
