// A conversation as a browser opens it: the outline of its whole tree in one answer, and the messages themselves in
// pieces, as they come near the view. What may be asked for is in thread-inputs.ts: the browser does without zod.
import type { Message } from './messages.ts';

/** All messages of a conversation, oldest first, without what they say. Its columns are equally long. */
export interface Outline {
  ids: string[];
  /** Where in `ids` the parent stands; -1 for a message that stands under none. */
  parents: number[];
  seqs: number[];
  /** 1 for what a person wrote, else 0. */
  byUser: number[];
  /** Bytes that each takes in the database: a rough measure of its height. */
  sizes: number[];
  /** Milliseconds of `updatedAt`: a message that was read at this time need not be read again. */
  versions: number[];
}

export interface ThreadStart {
  outline: Outline;
  /** `messagesSeq` of the conversation when this was read. */
  messagesSeq: number;
  /** The messages around the place where it opens, oldest first. */
  bodies: Message[];
  /** The reply that is being written, if any. */
  runningReply: string | null;
}

/** A message in the tree, whether or not its text is there. */
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

/** The rows of an outline. */
export function nodesOf({ ids, parents, seqs, byUser, sizes, versions }: Outline): ThreadNode[] {
  return ids.map((messageId, index) => ({
    messageId,
    parentMessageId: ids[parents[index] ?? -1] ?? null,
    seq: seqs[index] ?? index,
    isCreatedByUser: byUser[index] === 1,
    size: sizes[index] ?? 0,
    version: versions[index] ?? 0,
  }));
}

/** The row of a message. */
export function nodeOf(message: Message): ThreadNode {
  const { messageId, parentMessageId, seq, isCreatedByUser, parts, updatedAt } = message;
  const size = parts.reduce((sum, part) => sum + ('text' in part ? part.text.length : 0), 0);
  return { messageId, parentMessageId, seq, isCreatedByUser, size, version: Date.parse(updatedAt) };
}
