// Optimistic edits: shown at once, not confirmed by the server yet.
import { withText } from '@parley/schema/messages/edited-parts';
import type { Message } from '@parley/schema/messages/messages';
import { atom, useAtomValue } from 'jotai';
import { useMemo } from 'react';
import { personalAtom } from '../../lib/personal-data.ts';

export interface PendingEdit {
  /** The new text. */
  text: string;
  /** The user reopened the editor before the server responded. */
  isReopened: boolean;
}

/** Pending edits by message id. */
export const pendingEditsAtom = personalAtom<ReadonlyMap<string, PendingEdit>>(() => new Map());

/** Sets a pending edit; null removes it. */
export const setPendingEditAtom = atom(null, (get, set, messageId: string, edit: PendingEdit | null) => {
  const edits = new Map(get(pendingEditsAtom));
  if (edit === null) edits.delete(messageId);
  else edits.set(messageId, edit);
  set(pendingEditsAtom, edits);
});

/** The unconfirmed edit of a message, if any. */
export function usePendingEdit(messageId: string): PendingEdit | undefined {
  return useAtomValue(useMemo(() => atom((get) => get(pendingEditsAtom).get(messageId)), [messageId]));
}

/** The message with its pending edit. */
export function useEdited(message: Message): Message {
  const text = usePendingEdit(message.messageId)?.text;
  return useMemo(
    () => (text === undefined ? message : { ...message, isEdited: true, parts: withText(message.parts, text) }),
    [message, text],
  );
}
