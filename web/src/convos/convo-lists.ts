// Tests of this room: tests/unit/web/sidebar, tests/e2e/sidebar.

// The cached lists of conversations: the sidebar's, the pinned ones above it, and the archive.
import type { Convo } from '@parley/schema/convos/convos';
import { inPinOrder } from './pin-order.ts';
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

/** The pinned convos, which load all at once, after a change: new ones by date, above those that have a place. */
export function applyToPinned(pinned: Convo[], change: ListChange): Convo[] {
  if (change.type !== 'convo' && change.type !== 'removed') return pinned;
  const dated: ConvoPage = { convos: pinned.filter((one) => !hasPlace(one)), nextCursor: null };
  const [page = dated] = applyChange([dated], change, (convo) => isShownPin(convo) && !hasPlace(convo));
  const placed = pinned.filter((one) => hasPlace(one) && one.conversationId !== idOf(change));
  const added = change.type === 'convo' && isShownPin(change.convo) && hasPlace(change.convo) ? [change.convo] : [];
  return inPinOrder([...page.convos, ...placed, ...added]);
}

function isShownPin({ isPinned, isArchived: isAway }: Convo): boolean {
  return isPinned && !isAway;
}

function hasPlace({ pinPosition }: Convo): boolean {
  return pinPosition !== undefined;
}

function idOf(change: Extract<ListChange, { type: 'convo' | 'removed' }>): string {
  return change.type === 'convo' ? change.convo.conversationId : change.conversationId;
}
