import { attachmentsOf, textOf, type Message } from '@parley/schema/messages/messages';
import { useAtom, useStore } from 'jotai';
import { useEffect, useRef, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { showUndo } from '../../ui/toast/undo.ts';
import { Button } from '../../ui/button.tsx';
import classes from './message-edit.module.css';
import { useChatSession } from '../chat-session-context.tsx';
import { saveEdit } from './save-edit.ts';
import { useAutosize } from '../../ui/hooks/use-autosize.ts';

interface MessageEditProps {
  message: Message;
  /** Sends the edited text. True when accepted. */
  onSubmit: (text: string) => boolean;
  /** False while a reply is in progress, and where the endpoint does not support it. */
  canSubmit: boolean;
  takesFocus: boolean;
}

/** Edits a message. The text is kept until it is saved, sent or discarded. */
export function MessageEdit({ message, onSubmit, canSubmit, takesFocus }: MessageEditProps) {
  const { t } = useTranslation();
  const chatSession = useChatSession();
  const store = useStore();
  const before = textOf(message);
  const [text = before, setText] = useAtom(chatSession.drafts.editAtom(message.messageId));
  const box = useRef<HTMLTextAreaElement>(null);
  useAutosize(box, text);
  useEffect(() => {
    if (takesFocus) focusEnd(box.current);
  }, [takesFocus]);

  // A question may be its files alone, which it keeps.
  const isEmpty = text.trim() === '' && !(message.isCreatedByUser && attachmentsOf(message).length > 0);

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
    else void saveEdit(chatSession, store, message, text);
  }

  function submit(): void {
    if (canSubmit && !isEmpty && onSubmit(text)) close();
  }

  /** Stops the chat's own shortcuts, such as Escape for stop. */
  function onKeyDown(event: KeyboardEvent): void {
    const isEnter = event.key === 'Enter' && (event.ctrlKey || event.metaKey);
    if (event.nativeEvent.isComposing || event.shiftKey || !(isEnter || event.key === 'Escape')) return;
    event.preventDefault();
    event.stopPropagation();
    if (isEnter) submit();
    else cancel();
  }

  return (
    // Only handles events that bubble up from its controls.
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
        <Button size="sm" variant="filled" disabled={!canSubmit || isEmpty} onClick={submit}>
          {t('com_ui_save_submit')}
        </Button>
        <Button size="sm" disabled={isEmpty} onClick={save}>
          {t('com_ui_save')}
        </Button>
        <Button size="sm" onClick={cancel}>
          {t('com_ui_cancel')}
        </Button>
      </div>
    </div>
  );
}

/** Does not scroll: the edited message is already in view. */
function focusEnd(box: HTMLTextAreaElement | null): void {
  box?.focus({ preventScroll: true });
  box?.setSelectionRange(box.value.length, box.value.length);
}
