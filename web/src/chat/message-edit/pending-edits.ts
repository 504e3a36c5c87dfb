// Optimistic edits: shown at once, not confirmed by the server yet.
import type { Message, MessagePart } from '@parley/schema/messages/messages';
import { atom, useAtomValue } from 'jotai';
import { useMemo } from 'react';
import { personalAtom } from '../../lib/forget-person.ts';

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
  return useMemo(() => (text === undefined ? message : withText(message, text)), [message, text]);
}

/** Replaces the first text part and drops the other text parts. */
export function withText(message: Message, text: string): Message {
  const first = message.parts.findIndex(({ type }) => type === 'text');
  const part: MessagePart = { type: 'text', text };
  if (first < 0) return { ...message, isEdited: true, parts: [...message.parts, part] };
  const kept = message.parts.filter(({ type }, index) => type !== 'text' || index === first);
  return { ...message, isEdited: true, parts: kept.map((one) => (one.type === 'text' ? part : one)) };
}
