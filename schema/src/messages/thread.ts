// A conversation as a browser opens it: the outline of its whole tree in one response, and the messages in pages as
// they come near the view. The inputs are in thread-inputs.ts, because the browser does without zod.
import type { Message } from './messages.ts';

/** All messages of a conversation, oldest first, without their content. All columns have the same length. */
export interface Outline {
  ids: string[];
  /** The parent's index in `ids`; -1 for a root. */
  parents: number[];
  seqs: number[];
  /** 1 for a user's message, else 0. */
  byUser: number[];
  /** The stored size in bytes: a rough measure of the height. */
  sizes: number[];
  /** `updatedAt` in milliseconds: a message loaded at this version need not be loaded again. */
  versions: number[];
}

export interface ThreadStart {
  outline: Outline;
  /** `messagesSeq` of the conversation when this was read. */
  messagesSeq: number;
  /** The messages around the one where it opens, oldest first. */
  bodies: Message[];
  /** The replies that are being written: several where a question went to several models. */
  runningReplies: string[];
}

/** A message of the tree, whether or not its text is loaded. */
export interface ThreadNode {
  messageId: string;
  /** Null for the first message of a thread. */
  parentMessageId: string | null;
  /** Order of creation; the order of siblings. */
  seq: number;
  isCreatedByUser: boolean;
  /** Bytes, roughly. */
  size: number;
  /** Milliseconds of its last change. */
  version: number;
}

/** The nodes of an outline. */
export function outlineNodes({ ids, parents, seqs, byUser, sizes, versions }: Outline): ThreadNode[] {
  return ids.map((messageId, index) => ({
    messageId,
    parentMessageId: ids[parents[index] ?? -1] ?? null,
    seq: seqs[index] ?? index,
    isCreatedByUser: byUser[index] === 1,
    size: sizes[index] ?? 0,
    version: versions[index] ?? 0,
  }));
}

/** The node of a message. */
export function messageNode(message: Message): ThreadNode {
  const { messageId, parentMessageId, seq, isCreatedByUser, parts, updatedAt } = message;
  const size = parts.reduce((sum, part) => sum + ('text' in part ? part.text.length : 0), 0);
  return { messageId, parentMessageId, seq, isCreatedByUser, size, version: Date.parse(updatedAt) };
}
