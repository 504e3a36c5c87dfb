// Where a message is between the box it was typed in and the server's yes: in this browser's storage, so that neither
// a reload nor a dead network loses it. One key per entry, because two tabs may write at the same moment.
import type { AskInput } from '@parley/schema/ask';
import type { Reason } from '@parley/schema/reasons';
import { endpointTypeOf } from '../../endpoints/choose.ts';
import { readText, removeStored, writeStored } from '../../lib/persist.ts';
import { restoreSend, type Asking } from './send.ts';

export interface Waiting {
  asking: Asking;
  /** The server said no, and the text could not go back into the box because another one stood there. */
  refused?: Reason;
}

export interface Outbox {
  put(asking: Asking, refused?: Reason): void;
  remove(generationId: string): void;
  /** Oldest first. */
  list(): Waiting[];
}

interface Entry {
  ask: AskInput;
  /** When it was sent, in milliseconds of this browser's clock: the order within a conversation. */
  at: number;
  /** Messages that cannot be made from the ask: it speaks of some that are not loaded when the page comes back. */
  shown?: Pick<Asking, 'request' | 'reply'>;
  editOf?: string;
  refused?: Reason;
}

/** The outbox of one user of this browser. */
export function createOutbox(userId: string): Outbox {
  const prefix = `outbox:${userId}:`;
  return {
    put: (asking, refused) => void writeStored(prefix + asking.ask.generationId, entryOf(asking, refused)),
    remove: (generationId) => removeStored(prefix + generationId),
    list: () =>
      keysWith(prefix)
        .flatMap((key) => parseEntry(readText(key)) ?? [])
        .toSorted((a, b) => a.at - b.at)
        .flatMap((entry) => waitingOf(entry) ?? []),
  };
}

function entryOf({ ask, request, reply, editOf }: Asking, refused: Reason | undefined): Entry {
  return {
    ask,
    at: Date.now(),
    ...(ask.target.kind !== 'send' && { shown: { request, reply } }),
    ...(editOf !== undefined && { editOf }),
    ...(refused && { refused }),
  };
}

function waitingOf({ ask, shown, editOf, refused }: Entry): Waiting | undefined {
  const { target } = ask;
  const messages =
    target.kind === 'send'
      ? restoreSend(ask, target, endpointTypeOf(ask.endpoint, undefined))
      : shown && { ask, ...shown };
  if (!messages) return undefined;
  return { asking: { ...messages, ...(editOf !== undefined && { editOf }) }, ...(refused && { refused }) };
}

function keysWith(prefix: string): string[] {
  try {
    return Object.keys(window.localStorage).filter((key) => key.startsWith(prefix));
  } catch {
    return [];
  }
}

function parseEntry(text: string | null): Entry | undefined {
  try {
    const entry = JSON.parse(text ?? '') as Entry;
    const isWhole = typeof entry.at === 'number' && typeof entry.ask.generationId === 'string' && entry.ask.target;
    return isWhole ? entry : undefined;
  } catch {
    return undefined;
  }
}
