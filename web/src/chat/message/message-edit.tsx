import { textOf, type Message } from '@parley/schema/messages';
import { useAtom, useStore } from 'jotai';
import { useEffect, useRef, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { showUndo } from '../../shell/convos/undo.ts';
import classes from './message-edit.module.css';
import { useRoom } from '../room-context.tsx';
import { saveEdit } from './save-edit.ts';
import { useAutosize } from '../composer/autosize.ts';

interface MessageEditProps {
  message: Message;
  /** Asks with the edited text. True when it was taken. */
  onSubmit: (text: string) => boolean;
  /** False while an answer is being written, and where the endpoint has no use for it. */
  canSubmit: boolean;
  takesFocus: boolean;
}

/** Where a message gets another text. What is typed is kept until it is saved, sent or thrown away. */
export function MessageEdit({ message, onSubmit, canSubmit, takesFocus }: MessageEditProps) {
  const { t } = useTranslation();
  const room = useRoom();
  const store = useStore();
  const before = textOf(message);
  const [text = before, setText] = useAtom(room.drafts.editAtom(message.messageId));
  const box = useRef<HTMLTextAreaElement>(null);
  useAutosize(box, text);
  useEffect(() => {
    if (takesFocus) focusEnd(box.current);
  }, [takesFocus]);

  const isEmpty = text.trim() === '';

  function close(): void {
    setText(undefined);
  }

  function cancel(): void {
    close();
    if (text !== before) showUndo(t('com_chat_edit_discarded'), () => setText(text));
  }

  function save(): void {
    if (isEmpty) return;
    if (text === before) close();
    else void saveEdit(room, store, message, text);
  }

  function submit(): void {
    if (canSubmit && !isEmpty && onSubmit(text)) close();
  }

  /** The keys of the chat around it, such as Escape for a stop, are not meant here. */
  function onKeyDown(event: KeyboardEvent): void {
    const isEnter = event.key === 'Enter' && (event.ctrlKey || event.metaKey);
    if (event.nativeEvent.isComposing || event.shiftKey || !(isEnter || event.key === 'Escape')) return;
    event.preventDefault();
    event.stopPropagation();
    if (isEnter) submit();
    else cancel();
  }

  return (
    // Only listens to what bubbles up from the controls in it.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div className={classes.frame} onKeyDown={onKeyDown}>
      <textarea
        ref={box}
        className={classes.text}
        dir="auto"
        rows={1}
        value={text}
        aria-label={message.isCreatedByUser ? t('com_chat_edit_question') : t('com_chat_edit_answer')}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      <div className={classes.buttons}>
        <button type="button" className={classes.button} data-first disabled={!canSubmit || isEmpty} onClick={submit}>
          {t('com_ui_save_submit')}
        </button>
        <button type="button" className={classes.button} disabled={isEmpty} onClick={save}>
          {t('com_ui_save')}
        </button>
        <button type="button" className={classes.button} onClick={cancel}>
          {t('com_ui_cancel')}
        </button>
      </div>
    </div>
  );
}

/** Without moving the thread: what is edited is where the reader looks. */
function focusEnd(box: HTMLTextAreaElement | null): void {
  box?.focus({ preventScroll: true });
  box?.setSelectionRange(box.value.length, box.value.length);
}
