// A stored conversation as cached in the browser: the whole tree, and the bodies of messages that came near the
// viewport. Values are immutable.
import type { Message } from '@parley/schema/messages/messages';
import { messageNode, outlineNodes, type ThreadNode, type ThreadStart } from '@parley/schema/messages/thread';
import { addToTree, buildTree, type Tree } from '@parley/schema/messages/tree';

export interface StoredThread {
  /** All messages, in the order of creation. */
  nodes: readonly ThreadNode[];
  tree: Tree<ThreadNode>;
  /** The loaded messages by id, the most recently loaded last. */
  bodies: ReadonlyMap<string, Message>;
  /** The sequence number of the newest message change it includes. */
  messagesSeq: number;
  /** The replies that were in progress at the time of the read. */
  runningReplies: readonly string[];
}

/** Bytes of bodies kept; drops the least recently loaded first. */
const KEPT_BYTES = 4_000_000;
/**
 * Always keeps this many of the most recently loaded bodies, whatever their size: no screen shows more messages of that
 * length.
 */
const KEPT_MESSAGES = 24;

export const EMPTY_THREAD: StoredThread = {
  nodes: [],
  tree: buildTree<ThreadNode>([]),
  bodies: new Map(),
  messagesSeq: 0,
  runningReplies: [],
};

/** Merges the server's response with the bodies cached already. */
export function startThread(start: ThreadStart, known: StoredThread = EMPTY_THREAD): StoredThread {
  const nodes = outlineNodes(start.outline);
  const tree = buildTree(nodes);
  const bodies = new Map<string, Message>();
  for (const body of [...known.bodies.values(), ...start.bodies]) {
    const node = tree.byId.get(body.messageId);
    if (node && Date.parse(body.updatedAt) >= node.version) bodies.set(node.messageId, withParentOf(body, node));
  }
  const { messagesSeq, runningReplies } = start;
  return { nodes, tree, bodies, messagesSeq, runningReplies };
}

/** Adds bodies of messages that the thread already lists. */
export function withBodies(thread: StoredThread, read: readonly Message[]): StoredThread {
  const bodies = new Map(thread.bodies);
  for (const body of read) {
    const node = thread.tree.byId.get(body.messageId);
    bodies.delete(body.messageId);
    if (node) bodies.set(body.messageId, withParentOf(body, node));
  }
  return { ...thread, bodies: storedPart(bodies, thread.tree) };
}

/** Adds or replaces messages. */
export function withMessages(thread: StoredThread, changed: readonly Message[]): StoredThread {
  const tree = addToTree(thread.tree, changed.map(messageNode));
  const nodes = [...tree.byId.values()].toSorted((a, b) => a.seq - b.seq);
  return withBodies({ ...thread, tree, nodes }, changed);
}

/** Raises `messagesSeq`, never lowers it. */
export function withMessagesSeq(thread: StoredThread, messagesSeq: number): StoredThread {
  return messagesSeq > thread.messagesSeq ? { ...thread, messagesSeq } : thread;
}

/** Deleting a parent moves a message up, which is not a change of the message itself. */
function withParentOf(body: Message, { parentMessageId }: ThreadNode): Message {
  return body.parentMessageId === parentMessageId ? body : { ...body, parentMessageId };
}

function storedPart(bodies: Map<string, Message>, { byId }: Tree<ThreadNode>): Map<string, Message> {
  const sizeOf = (messageId: string) => byId.get(messageId)?.size ?? 0;
  let bytes = 0;
  for (const messageId of bodies.keys()) bytes += sizeOf(messageId);
  for (const messageId of bodies.keys()) {
    if (bytes <= KEPT_BYTES || bodies.size <= KEPT_MESSAGES) break;
    bytes -= sizeOf(messageId);
    bodies.delete(messageId);
  }
  return bodies;
}
