// Where a message is between the box it was typed in and the server's yes: in this browser's storage, so that neither
// a reload nor a dead network loses it. One key per entry, because two tabs may write at the same moment.
import type { AskInput } from '@parley/schema/ask';
import type { Reason } from '@parley/schema/reasons';
import { readText, removeStored, writeStored } from '../lib/persist.ts';

export interface OutboxEntry {
  ask: AskInput;
  /** When it was sent, in milliseconds of this browser's clock: the order within a conversation. */
  at: number;
  /** The server said no, and the text could not go back into the box because another one stood there. */
  refused?: Reason;
}

export interface Outbox {
  put(entry: OutboxEntry): void;
  remove(generationId: string): void;
  /** Oldest first. */
  list(): OutboxEntry[];
}

/** The outbox of one user of this browser. */
export function createOutbox(userId: string): Outbox {
  const prefix = `outbox:${userId}:`;
  return {
    put: (entry) => void writeStored(prefix + entry.ask.generationId, entry),
    remove: (generationId) => removeStored(prefix + generationId),
    list: () =>
      keysWith(prefix)
        .flatMap((key) => parseEntry(readText(key)) ?? [])
        .toSorted((a, b) => a.at - b.at),
  };
}

function keysWith(prefix: string): string[] {
  try {
    return Object.keys(window.localStorage).filter((key) => key.startsWith(prefix));
  } catch {
    return [];
  }
}

function parseEntry(text: string | null): OutboxEntry | undefined {
  try {
    const entry = JSON.parse(text ?? '') as OutboxEntry;
    const isWhole = typeof entry.at === 'number' && typeof entry.ask.generationId === 'string' && entry.ask.target;
    return isWhole ? entry : undefined;
  } catch {
    return undefined;
  }
}
