// Edits of messages that the server has not confirmed yet: the screen shows them at once.
import type { Message, MessagePart } from '@parley/schema/messages';
import { atom, useAtomValue } from 'jotai';
import { useMemo } from 'react';

export interface PendingEdit {
  /** What the message is to say. */
  text: string;
  /** Its editor was opened again before the server had it. */
  isReopened: boolean;
}

/** By the ids of their messages. */
export const pendingEditsAtom = atom<ReadonlyMap<string, PendingEdit>>(new Map());

/** Adds a pending edit, or takes it away when `edit` is null. */
export const setPendingEditAtom = atom(null, (get, set, messageId: string, edit: PendingEdit | null) => {
  const edits = new Map(get(pendingEditsAtom));
  if (edit === null) edits.delete(messageId);
  else edits.set(messageId, edit);
  set(pendingEditsAtom, edits);
});

/** The edit of a message that the server was not heard to have; undefined for none. */
export function usePendingEdit(messageId: string): PendingEdit | undefined {
  return useAtomValue(useMemo(() => atom((get) => get(pendingEditsAtom).get(messageId)), [messageId]));
}

/** The message as it will be. */
export function useEdited(message: Message): Message {
  const text = usePendingEdit(message.messageId)?.text;
  return useMemo(() => (text === undefined ? message : withText(message, text)), [message, text]);
}

/** The message with another text: its first text part takes it, and the others go. */
export function withText(message: Message, text: string): Message {
  const first = message.parts.findIndex(({ type }) => type === 'text');
  const part: MessagePart = { type: 'text', text };
  if (first < 0) return { ...message, isEdited: true, parts: [...message.parts, part] };
  const kept = message.parts.filter(({ type }, index) => type !== 'text' || index === first);
  return { ...message, isEdited: true, parts: kept.map((one) => (one.type === 'text' ? part : one)) };
}
