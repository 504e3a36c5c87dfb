// The order of pinned conversations: without a place newest first, then by the places that their user has given them.
import type { Convo } from '@parley/schema/convos/convos';

/** Keeps the order of those that it does not tell apart. */
export function inPinOrder(pinned: readonly Convo[]): Convo[] {
  return pinned.toSorted((a, b) => (a.pinPosition ?? 0) - (b.pinPosition ?? 0));
}

/** `pinned` with one of them at `index`, counted without it; the same list where that changes nothing. */
export function withMovedPin(pinned: Convo[], conversationId: string, index: number): Convo[] {
  const from = pinned.findIndex((one) => one.conversationId === conversationId);
  const moved = pinned[from];
  const to = Math.min(Math.max(index, 0), pinned.length - 1);
  if (!moved || from === to) return pinned;
  return pinned
    .toSpliced(from, 1)
    .toSpliced(to, 0, moved)
    .map((convo, place) => ({ ...convo, pinPosition: place + 1 }));
}
