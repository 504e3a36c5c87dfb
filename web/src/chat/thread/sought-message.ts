// A message that a search in the chat leads to: the list that has it scrolls there, without taking the focus.
import { atom, useAtomValue } from 'jotai';
import { useLinkedMessage } from './linked-message.ts';

/** A new object each time: the same message may be sought again. */
export const soughtMessageAtom = atom<{ messageId: string } | null>(null);

/** The message that a link or a search leads to. */
export function useTargetMessage(): string | undefined {
  const linked = useLinkedMessage();
  const sought = useAtomValue(soughtMessageAtom);
  return linked ?? sought?.messageId;
}
