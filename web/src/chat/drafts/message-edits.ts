// Edits of messages that the server has not confirmed yet: the screen shows them at once.
import type { Message, MessagePart } from '@parley/schema/messages';
import { atom, useAtomValue } from 'jotai';
import { useMemo } from 'react';

/** Message id to the text it is to have. */
export const pendingEditsAtom = atom<ReadonlyMap<string, string>>(new Map());

/** Adds a pending edit, or takes it away when `text` is null. */
export const setPendingEditAtom = atom(null, (get, set, messageId: string, text: string | null) => {
  const edits = new Map(get(pendingEditsAtom));
  if (text === null) edits.delete(messageId);
  else edits.set(messageId, text);
  set(pendingEditsAtom, edits);
});

/** The message as it will be. */
export function useEdited(message: Message): Message {
  const { messageId } = message;
  const pending = useMemo(() => atom((get) => get(pendingEditsAtom).get(messageId)), [messageId]);
  const text = useAtomValue(pending);
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
