// A draft in one browser, and how it changes when the user types, when the server confirms a save, and when another
// browser of the user saves. The later key press wins; an overwritten text that the user has not seen go is offered
// back.
import { isEmptyDraft, isSameDraft } from '@parley/schema/chat/draft-content';
import type { Draft, SaveDraft, SavedDraft } from '@parley/schema/chat/drafts';
import type { Attachment } from '@parley/schema/messages/messages';

export interface LocalDraft {
  text: string;
  /** The uploaded files; absent when there are none. */
  files?: Attachment[] | undefined;
  /** Time of the last key press, by the clock of its browser. */
  editedAt: string;
  /** Sequence number of the server's draft that this one is based on; 0 for none. */
  seq: number;
  /** The server has this text and these files. */
  isSaved: boolean;
  /** An overwritten text that the user can restore. */
  offered: string | null;
}

export const EMPTY_DRAFT: LocalDraft = {
  text: '',
  editedAt: new Date(0).toISOString(),
  seq: 0,
  isSaved: true,
  offered: null,
};

/**
 * A key press at `now`, in milliseconds. Its time is always later than the previous one, even if this browser's clock
 * is slow.
 */
export function typed(draft: LocalDraft, text: string, now: number): LocalDraft {
  if (text === draft.text) return draft;
  return { ...draft, text, editedAt: laterThan(draft, now), isSaved: false };
}

function laterThan({ editedAt }: LocalDraft, now: number): string {
  return new Date(Math.max(now, Date.parse(editedAt) + 1)).toISOString();
}

/** The user attaches files or takes some out, at `now`: counts as a key press. */
export function attached(draft: LocalDraft, files: readonly Attachment[], now: number): LocalDraft {
  const next = { ...draft, files: files.length > 0 ? [...files] : undefined };
  if (isSameDraft(next, draft)) return draft;
  return { ...next, editedAt: laterThan(draft, now), isSaved: false };
}

/** A draft from the server: another browser's, or our own echoed back. `sent` is what we sent last, if any. */
export function received(draft: LocalDraft, shared: Draft, sent: Pick<Draft, 'text' | 'files'> | null): LocalDraft {
  const { text, files, editedAt, seq } = shared;
  if (seq <= draft.seq) return draft;
  if (isSameDraft(shared, draft)) return { ...draft, seq, isSaved: true };
  if (draft.isSaved) return { ...draft, text, files, editedAt, seq };
  if (sent && isSameDraft(shared, sent)) return { ...draft, seq };
  return Date.parse(shared.editedAt) > Date.parse(draft.editedAt)
    ? { text, files, editedAt, seq, isSaved: true, offered: offerOf(draft.text, text) ?? draft.offered }
    : { ...draft, seq, offered: offerOf(text, draft.text) ?? draft.offered };
}

/** The response to saving `sent`; the user may have typed more meanwhile. */
export function saved(draft: LocalDraft, sent: SaveDraft, { draft: kept, lost }: SavedDraft): LocalDraft {
  const hasTypedOn = !isSameDraft(draft, sent);
  if (isSameDraft(kept, sent)) {
    const offered = (lost !== null && offerOf(lost, draft.text)) || draft.offered;
    return { ...draft, seq: Math.max(draft.seq, kept.seq), isSaved: !hasTypedOn, offered };
  }
  return received(draft, kept, null);
}

/** Swaps the offered text with the current one, which is offered in turn. */
export function restored(draft: LocalDraft, now: number): LocalDraft {
  if (draft.offered === null) return draft;
  return { ...typed(draft, draft.offered, now), offered: offerOf(draft.text, draft.offered) };
}

/** Whether there is nothing to store. */
export function isBlank(draft: LocalDraft): boolean {
  return isEmptyDraft(draft) && draft.isSaved && draft.offered === null;
}

/** The overwritten text, unless it is blank or still part of the kept one. */
function offerOf(lost: string, kept: string): string | null {
  return lost.trim() === '' || kept.includes(lost) ? null : lost;
}
