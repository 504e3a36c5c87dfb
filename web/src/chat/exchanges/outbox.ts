// The outbox: keeps a sent message in local storage until the server accepts it, so that neither a reload nor a lost
// connection loses it. One key per entry, because two tabs may write at the same moment.
import type { AskInput } from '@parley/schema/chat/ask';
import type { Reason } from '@parley/schema/reasons';
import { endpointTypeOf } from '../../catalog/choose-model.ts';
import { keysWith, readText, removeStored, writeStored } from '../../lib/storage.ts';
import type { Mention } from '../drafts/mention.ts';
import { restoreSend, type PendingAsk } from './prepare-ask.ts';

export interface OutboxEntry {
  pendingAsk: PendingAsk;
  /** The server refused it, and its text could not go back to the draft, which held another text. */
  refused?: Reason;
}

export interface Outbox {
  put(pendingAsk: PendingAsk, refused?: Reason): void;
  remove(generationId: string): void;
  /** Oldest first. */
  list(): OutboxEntry[];
}

interface StoredEntry {
  ask: AskInput;
  /** Time of sending, in milliseconds of this browser's clock: the order within a conversation. */
  at: number;
  /** Messages that cannot be rebuilt from the ask: it names messages that are not loaded after a reload, or files. */
  shown?: Pick<PendingAsk, 'request' | 'reply'>;
  editOf?: string;
  mention?: Mention;
  others?: readonly PendingAsk[];
  refused?: Reason;
}

/** The outbox of one user of this browser. */
export function createOutbox(userId: string): Outbox {
  const prefix = `outbox:${userId}:`;
  return {
    put: (pendingAsk, refused) =>
      void writeStored(prefix + pendingAsk.ask.generationId, storedEntryOf(pendingAsk, refused)),
    remove: (generationId) => removeStored(prefix + generationId),
    list: () =>
      keysWith(prefix)
        .flatMap((key) => parseEntry(readText(key)) ?? [])
        .toSorted((a, b) => a.at - b.at)
        .flatMap((entry) => outboxEntryOf(entry) ?? []),
  };
}

function storedEntryOf(
  { ask, request, reply, editOf, mention, others }: PendingAsk,
  refused: Reason | undefined,
): StoredEntry {
  return {
    ask,
    at: Date.now(),
    ...((ask.target.kind !== 'send' || ask.target.files) && { shown: { request, reply } }),
    ...(editOf !== undefined && { editOf }),
    ...(mention && { mention }),
    ...(others && { others }),
    ...(refused && { refused }),
  };
}

function outboxEntryOf({ ask, shown, editOf, mention, others, refused }: StoredEntry): OutboxEntry | undefined {
  const { target } = ask;
  const messages = shown
    ? { ask, ...shown }
    : target.kind === 'send' && restoreSend(ask, target, endpointTypeOf(ask.endpoint, undefined));
  if (!messages) return undefined;
  const origin = { ...(editOf !== undefined && { editOf }), ...(mention && { mention }), ...(others && { others }) };
  return { pendingAsk: { ...messages, ...origin }, ...(refused && { refused }) };
}

function parseEntry(text: string | null): StoredEntry | undefined {
  try {
    const entry = JSON.parse(text ?? '') as StoredEntry;
    const isWhole = typeof entry.at === 'number' && typeof entry.ask.generationId === 'string' && entry.ask.target;
    return isWhole ? entry : undefined;
  } catch {
    return undefined;
  }
}
