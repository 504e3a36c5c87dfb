// The cached lists of conversations: the sidebar's, the pinned ones above it, and the archive.
import type { Convo } from '@parley/schema/convos/convos';
import { applyChange, type ConvoPage, type ListChange } from './changes/apply-change.ts';

/** The sidebar's query input. Every reader of the list must use the same input to share its cache. */
export const PAGE = { limit: 50, folderId: null };
export const ARCHIVE_PAGE = { limit: 50, archived: true };

export function isListed({ isPinned, isArchived, folderId, temporaryUntil }: Convo): boolean {
  return !isPinned && !isArchived && folderId === null && !temporaryUntil;
}

export function isArchived(convo: Convo): boolean {
  return convo.isArchived;
}

/** The pinned convos, which load all at once, after a change. */
export function applyToPinned(pinned: Convo[], change: ListChange): Convo[] {
  const whole: ConvoPage = { convos: pinned, nextCursor: null };
  const [page = whole] = applyChange([whole], change, (convo) => convo.isPinned && !convo.isArchived);
  return page.convos;
}
