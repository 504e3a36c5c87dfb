import type { Store } from '../../lib/jotai-store.ts';
import type { AttachmentsAtom, DraftAttachment } from '../drafts/draft-attachments.ts';

/** Changes one attachment; does nothing once it has been taken out. */
export function changeAttachment(
  store: Store,
  list: AttachmentsAtom,
  id: string,
  change: Partial<DraftAttachment>,
): void {
  const before = store.get(list);
  if (before.some((one) => one.id === id))
    store.set(
      list,
      before.map((one) => (one.id === id ? { ...one, ...change } : one)),
    );
}
