import type { Message } from '@parley/schema/messages/messages';
import { readableText } from '@parley/schema/messages/readable-text';
import { useAtom, useSetAtom } from 'jotai';
import { useEffect, useRef, useState, type RefObject } from 'react';
import { setPendingEditAtom, usePendingEdit } from './pending-edits.ts';
import { useChatSession } from '../chat-session-context.tsx';

export interface Editing {
  isOpen: boolean;
  open(): void;
  /** The user has just opened it, in contrast to one restored on load: only then does the editor take the focus. */
  isNew: boolean;
  /** The message's element, to restore the focus in. */
  ref: RefObject<HTMLElement | null>;
}

/** Whether a message is being edited. When its editor closes, the focus returns to the button that opened it. */
export function useEditing(message: Message): Editing {
  const { drafts } = useChatSession();
  const { messageId } = message;
  const [text, setText] = useAtom(drafts.editAtom(messageId));
  const ref = useRef<HTMLElement>(null);
  const [opened, setOpened] = useState<string | null>(null);
  const pending = usePendingEdit(messageId);
  const setPending = useSetAtom(setPendingEditAtom);
  // During a save, the message is shown instead.
  const isOpen = text !== undefined && (!pending || pending.isReopened);

  useEffect(() => {
    if (!isOpen) return;
    const element = ref.current;
    return () => {
      if (document.activeElement === document.body)
        element?.querySelector<HTMLElement>('[data-action=edit]')?.focus({ preventScroll: true });
    };
  }, [isOpen]);

  function open(): void {
    setOpened(messageId);
    setText(readableText(message));
    if (pending) setPending(messageId, { ...pending, isReopened: true });
  }

  return { isOpen, open, isNew: opened === messageId, ref };
}
