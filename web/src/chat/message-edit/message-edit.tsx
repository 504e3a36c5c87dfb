import { messageAttachments, type Attachment, type Message } from '@parley/schema/messages/messages';
import { readableText } from '@parley/schema/messages/readable-text';
import { useAtom, useStore } from 'jotai';
import { useEffect, useRef, type KeyboardEvent, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { useExisting } from '../../files/files-api.ts';
import { textDirection } from '../../ui/fields/text-direction.ts';
import { showUndo } from '../../ui/toast/undo.ts';
import { Button } from '../../ui/button.tsx';
import classes from './message-edit.module.css';
import { useChatSession } from '../chat-session-context.tsx';
import { useAutosize } from '../../ui/hooks/use-autosize.ts';
import { ButtonRow } from '../../ui/primitives/button-row.tsx';
import { i18n } from '../../i18n.ts';
import { describeError } from '../../errors/describe-error.ts';
import { showToast } from '../../ui/toast/toast.ts';
import { api } from '../../trpc.ts';
import { pendingEditsAtom, setPendingEditAtom } from './pending-edits.ts';
import type { ChatSession } from '../chat-session.ts';
import type { Store } from '../../lib/jotai-store.ts';

interface MessageEditProps {
  message: Message;
  /** Sends the edited text, without these files: they were deleted. True when accepted. */
  onSubmit: (text: string, goneIds: readonly string[]) => boolean;
  /** False while a reply is in progress, and where the endpoint does not support it. */
  canSubmit: boolean;
  takesFocus: boolean;
}

/** Edits a message. The text is kept until it is saved, sent or discarded. */
export function MessageEdit({ message, onSubmit, canSubmit, takesFocus }: MessageEditProps) {
  const { t } = useTranslation();
  const chatSession = useChatSession();
  const store = useStore();
  const before = readableText(message);
  const [text = before, setText] = useAtom(chatSession.drafts.editAtom(message.messageId));
  const box = useRef<HTMLTextAreaElement>(null);
  const frame = useRef<HTMLDivElement>(null);
  useAutosize(box, text);
  useStayInView(frame, takesFocus);
  useEffect(() => {
    if (takesFocus) focusEnd(box.current);
  }, [takesFocus]);

  const files = useAttached(message);
  // A question may be its files alone, which it keeps.
  const isEmpty = text.trim() === '' && files.attached.length === 0;
  const canSend = canSubmit && (text.trim() !== '' || files.attached.length > files.gone.length);

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
    const goneIds = files.gone.map(({ fileId }) => fileId);
    if (canSend && onSubmit(text, goneIds)) close();
  }

  return (
    // Only handles events that bubble up from its controls.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div ref={frame} className={classes.frame} onKeyDown={(event) => onEditKey(event, { submit, cancel })}>
      <textarea
        ref={box}
        className={classes.text}
        dir={textDirection(text) ?? 'auto'}
        rows={1}
        value={text}
        data-testid="message-text-editor"
        aria-label={message.isCreatedByUser ? t('com_chat_edit_question') : t('com_chat_edit_answer')}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      <GoneFiles files={files.gone} />
      <ButtonRow className={classes.buttons}>
        <Button size="sm" variant="filled" disabled={!canSend} onClick={submit}>
          {t('com_ui_save_submit')}
        </Button>
        <Button size="sm" disabled={isEmpty} onClick={save}>
          {t('com_ui_save')}
        </Button>
        <Button size="sm" onClick={cancel}>
          {t('com_ui_cancel')}
        </Button>
      </ButtonRow>
    </div>
  );
}

/** The files of a question, and those of them that were deleted meanwhile. */
function useAttached(message: Message): Record<'attached' | 'gone', readonly Attachment[]> {
  const attached = message.isCreatedByUser ? messageAttachments(message) : [];
  const existing = useExisting(attached.map(({ fileId }) => fileId));
  return { attached, gone: attached.filter(({ fileId }) => existing && !existing.includes(fileId)) };
}

/** Stops the chat's own shortcuts, such as Escape for stop. */
function onEditKey(event: KeyboardEvent, { submit, cancel }: Record<'submit' | 'cancel', () => void>): void {
  const isEnter = event.key === 'Enter' && (event.ctrlKey || event.metaKey);
  if (event.nativeEvent.isComposing || event.shiftKey || !(isEnter || event.key === 'Escape')) return;
  event.preventDefault();
  event.stopPropagation();
  if (isEnter) submit();
  else cancel();
}

function GoneFiles({ files }: { files: readonly Attachment[] }) {
  const { t } = useTranslation();
  if (files.length === 0) return null;
  return (
    <p className="hint" role="status">
      {t('com_chat_edit_gone', { 0: files.map(({ name, path }) => name ?? path).join(', ') })}
    </p>
  );
}

/** Does not scroll: the message is in view, as far as the screen has room. */
function focusEnd(box: HTMLTextAreaElement | null): void {
  box?.focus({ preventScroll: true });
  box?.setSelectionRange(box.value.length, box.value.length);
}

/**
 * Saves an edited text: shows it at once, and on failure reopens the editor with a toast. The draft of the edit stays
 * until the server has the text, so that leaving the page loses nothing.
 */
async function saveEdit(
  { cache, drafts }: Pick<ChatSession, 'cache' | 'drafts'>,
  store: Store,
  { conversationId, messageId }: Message,
  text: string,
): Promise<void> {
  const edit = drafts.editAtom(messageId);
  const pending = { text, isReopened: false };
  const current = () => store.get(pendingEditsAtom).get(messageId);
  store.set(edit, text);
  store.set(setPendingEditAtom, messageId, pending);
  try {
    cache.putMessages(conversationId, [await api.messages.edit.mutate({ conversationId, messageId, text })]);
    // Unless the user has reopened the editor meanwhile.
    if (current() === pending) store.set(edit, undefined);
  } catch (error) {
    showToast({ message: describeError(error, i18n.t), severity: 'error' });
  } finally {
    // Unless another text is being saved by now.
    if (current()?.text === text) store.set(setPendingEditAtom, messageId, null);
  }
}

/** Wider screens have room around the editor, and no keyboard of their own. */
const SMALL = '(max-width: 768px)';

/**
 * Brings an editor that takes the focus on a small screen into view: once when it opens, and once when the keyboard of
 * the phone has taken its part of the window.
 */
function useStayInView(element: RefObject<HTMLElement | null>, takesFocus: boolean): void {
  useEffect(() => {
    if (!takesFocus || !window.matchMedia(SMALL).matches) return;
    const ended = new AbortController();
    const show = () => {
      // The thread follows a change of size in the frame after it.
      requestAnimationFrame(() =>
        requestAnimationFrame(() => {
          if (!ended.signal.aborted) element.current?.scrollIntoView({ block: 'nearest' });
        }),
      );
    };
    show();
    window.addEventListener('resize', show, { once: true, signal: ended.signal });
    return () => ended.abort();
  }, [element, takesFocus]);
}
