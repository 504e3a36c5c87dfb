// A draft as one browser has it, and what becomes of it when the person types, when the server has it, and when another
// browser of theirs speaks. The later keystroke wins; what loses without having been seen is offered back.
import type { Draft, SaveDraft, SavedDraft } from '@parley/schema/drafts';

export interface LocalDraft {
  text: string;
  /** When the last key was pressed, by the clock of the browser it was pressed in. */
  editedAt: string;
  /** The shared draft that this one was typed over; 0 for none. */
  seq: number;
  /** The server has it. */
  isSaved: boolean;
  /** A text that lost and can be had back. */
  offered: string | null;
}

export const EMPTY_DRAFT: LocalDraft = {
  text: '',
  editedAt: new Date(0).toISOString(),
  seq: 0,
  isSaved: true,
  offered: null,
};

/** A key press at `now`, in milliseconds. It is later than what it was typed over, however slow this browser's clock. */
export function typed(draft: LocalDraft, text: string, now: number): LocalDraft {
  if (text === draft.text) return draft;
  const editedAt = new Date(Math.max(now, Date.parse(draft.editedAt) + 1)).toISOString();
  return { ...draft, text, editedAt, isSaved: false };
}

/** Another browser's draft, or our own come back. `sent` is the text that we sent last, if any. */
export function heard(draft: LocalDraft, shared: Draft, sent: string | null): LocalDraft {
  const { text, editedAt, seq } = shared;
  if (seq <= draft.seq) return draft;
  if (text === draft.text) return { ...draft, seq, isSaved: true };
  if (draft.isSaved) return { ...draft, text, editedAt, seq };
  if (text === sent) return { ...draft, seq };
  return isLater(shared, draft)
    ? { text, editedAt, seq, isSaved: true, offered: offerOf(draft.text, text) ?? draft.offered }
    : { ...draft, seq, offered: offerOf(text, draft.text) ?? draft.offered };
}

/** The server's answer to `sent`; the person may have typed on meanwhile. */
export function saved(draft: LocalDraft, sent: SaveDraft, { draft: kept, lost }: SavedDraft): LocalDraft {
  const hasTypedOn = draft.text !== sent.text;
  if (kept.text === sent.text) {
    const offered = (lost !== null && offerOf(lost, draft.text)) || draft.offered;
    return { ...draft, seq: Math.max(draft.seq, kept.seq), isSaved: !hasTypedOn, offered };
  }
  return heard(draft, kept, null);
}

/** The text that was offered back takes the place of the one in the box, which is offered in its turn. */
export function restored(draft: LocalDraft, now: number): LocalDraft {
  if (draft.offered === null) return draft;
  return { ...typed(draft, draft.offered, now), offered: offerOf(draft.text, draft.offered) };
}

/** Whether there is anything to remember. */
export function isBlank({ text, isSaved, offered }: LocalDraft): boolean {
  return text === '' && isSaved && offered === null;
}

function isLater(one: { editedAt: string }, other: { editedAt: string }): boolean {
  return Date.parse(one.editedAt) > Date.parse(other.editedAt);
}

/** What is worth offering: nothing that is still there. */
function offerOf(lost: string, kept: string): string | null {
  return lost.trim() === '' || kept.includes(lost) ? null : lost;
}
