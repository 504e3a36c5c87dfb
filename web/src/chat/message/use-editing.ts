import { textOf, type Message } from '@parley/schema/messages';
import { useAtom, useSetAtom } from 'jotai';
import { useEffect, useRef, useState, type RefObject } from 'react';
import { setPendingEditAtom, usePendingEdit } from '../drafts/message-edits.ts';
import { useRoom } from '../room-context.tsx';

export interface Editing {
  isOpen: boolean;
  open(): void;
  /** It was opened just now, and not found open: only then does the editor take the focus. */
  isNew: boolean;
  /** Of the message's element: where the focus goes back to. */
  ref: RefObject<HTMLElement | null>;
}

/** Whether a message is being edited. The focus that its editor leaves behind goes back to the button that opened it. */
export function useEditing(message: Message): Editing {
  const { drafts } = useRoom();
  const { messageId } = message;
  const [text, setText] = useAtom(drafts.editAtom(messageId));
  const ref = useRef<HTMLElement>(null);
  const [opened, setOpened] = useState<string | null>(null);
  const pending = usePendingEdit(messageId);
  const setPending = useSetAtom(setPendingEditAtom);
  // While it is being saved, the message shows it.
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
    setText(textOf(message));
    if (pending) setPending(messageId, { ...pending, isReopened: true });
  }

  return { isOpen, open, isNew: opened === messageId, ref };
}
