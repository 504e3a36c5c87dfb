import { IconArrowUp, IconPlayerStopFilled } from '@tabler/icons-react';
import { useAtomValue } from 'jotai';
import { useCallback, useLayoutEffect, useRef, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { useEarlyFiles } from '../attachments/early-files.ts';
import { lacksAssistant } from '../../endpoints/assistants/assistant-state.ts';
import { canSend } from '../can-send.ts';
import { isEmptyChat } from '../is-empty-chat.ts';
import { ComposerNotice, isClosed } from './composer-notice.tsx';
import classes from './composer.module.css';
import type { ComposerPromptsProps } from './composer-prompts.tsx';
import { DraftTextarea } from './draft-textarea.tsx';
import { useDraftState } from '../drafts/use-draft-state.ts';
import { composerId } from '../../slots/focus-composer.ts';
import { isSendKey } from './send-key.ts';
import { useChatSession } from '../chat-session-context.tsx';
import { draftKeyOf, useSlotIndex } from '../../slots/slot.ts';
import type { Chat } from '../use-chat.ts';
import { useBoxWords } from './use-box-words.ts';
import { useComposerFocus } from './use-composer-focus.ts';
import { useSend } from './use-send.ts';
import { pendingSwitchAtom } from '../switch-model/pending-switch.ts';
import { useDraftSync } from '../drafts/use-draft-sync.ts';
import { useLaterParts } from '../use-later-parts.ts';

/** Keeps the place of the buttons that come. */
function NoButtonsYet() {
  useEarlyFiles();
  return <span className={classes.buttons} />;
}

/** Keeps the place of the chips that come. */
function NoChipsYet({ chat: { modelTarget } }: { chat: Chat }) {
  const tools = modelTarget?.settings.tools;
  if (!Array.isArray(tools) || tools.length === 0) return null;
  // The search of the web has a chip only where there is no room for its button.
  const isFolded = tools.every((key) => key === 'web_search');
  return <span className={classes.noChips} data-folded={isFolded || undefined} />;
}

/** The message box. Typing works before anything else has loaded; sending waits for its data. */
export function Composer({ chat }: { chat: Chat }) {
  const index = useSlotIndex();
  const { drafts } = useChatSession();
  const draftKey = draftKeyOf(chat.slot);
  const draft = drafts.draftAtom(draftKey);
  const attachments = drafts.attachmentsAtom(draftKey);
  const { isEmpty, isComplete, isUploading, hasOffer, hasFiles } = useDraftState(drafts, draftKey);
  const box = useRef<HTMLTextAreaElement>(null);
  const focusBox = () => box.current?.focus();
  const later = useLaterParts(hasFiles || !chat.slot.isNewChat);
  useComposerFocus(box, chat.slot);
  useDraftSync();
  const { send, isWaiting } = useSend(chat, draft, attachments);

  const isDisabled = lacksAssistant(chat.assistantState);
  const words = useBoxWords(chat);
  const onKeyDown = useSendKey(send);

  return (
    <form
      className={classes.dock}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      {later && <later.GlideToEnd box={box} conversationId={chat.slot.conversationId} isEmpty={isEmptyChat(chat)} />}
      <Offers chat={chat} draftKey={draftKey} hasOffer={hasOffer} onDone={focusBox} />
      {/* A click on the padding focuses the textarea. */}
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions */}
      <div
        className={classes.box}
        data-disabled={isDisabled || undefined}
        onClick={(event) => event.target === event.currentTarget && focusBox()}
      >
        {later && !chat.slot.isNewChat && <later.QueuePanel chat={chat} />}
        {later && hasFiles && <later.AttachmentChips chat={chat} isWaiting={isWaiting} onEmptied={focusBox} />}
        {later ? <later.ComposerChips chat={chat} /> : <NoChipsYet chat={chat} />}
        <DraftTextarea
          draft={draft}
          ref={box}
          id={composerId(index)}
          words={words}
          isDisabled={isDisabled}
          onKeyDown={onKeyDown}
        />
        <div className={classes.bar}>
          {later ? <later.ComposerButtons chat={chat} /> : <NoButtonsYet />}
          <ComposerNotice chat={chat} onSendAnyway={isComplete ? () => send(true) : undefined} />
          {later && (hasFiles || !isEmpty) && !isClosed(chat) && (
            <later.BudgetBar key={chat.slot.conversationId} chat={chat} draft={draft} attachments={attachments} />
          )}
          {chat.generationId !== null && <StopButton chat={chat} />}
          <SendButton chat={chat} isComplete={isComplete} isUploading={isUploading} isWaiting={isWaiting} />
        </div>
      </div>
    </form>
  );
}

/** The same function on each render: the box does not render with what is around it. */
function useSendKey(send: () => void) {
  const newest = useRef(send);
  useLayoutEffect(() => void (newest.current = send));
  return useCallback((event: KeyboardEvent): void => {
    if (!isSendKey(event.nativeEvent)) return;
    event.preventDefault();
    newest.current();
  }, []);
}

/** What the person is asked above the box. */
function Offers(props: ComposerPromptsProps) {
  const isAsked = useAtomValue(pendingSwitchAtom) !== null || props.hasOffer;
  const later = useLaterParts(isAsked);
  return later && isAsked && <later.ComposerPrompts {...props} />;
}

interface SendButtonProps {
  chat: Chat;
  isComplete: boolean;
  isUploading: boolean;
  /** The question is sent once its files are uploaded. */
  isWaiting: boolean;
}

/**
 * While a reply is in progress, it puts the question in the queue. While files are being uploaded nothing can be
 * sent, but a press keeps the wish to, and the next one takes it back.
 */
function SendButton({ chat, isComplete, isUploading, isWaiting }: SendButtonProps) {
  const { t } = useTranslation();
  const later = useLaterParts();
  const isQueue = chat.generationId !== null;
  const hasQuestion = isComplete || isUploading;
  if (isQueue && !hasQuestion) return null;
  const label = isWaiting ? t('com_files_waiting') : isQueue ? t('com_chat_queue') : t('com_chat_send');
  return (
    <button
      type="submit"
      className={classes.send}
      data-testid="send-button"
      disabled={!isQueue && !(hasQuestion && canSend(chat))}
      aria-disabled={(isUploading && !isWaiting) || undefined}
      aria-label={label}
      data-tooltip={label}
    >
      {later && isWaiting ? <later.WaitingIcon /> : <IconArrowUp aria-hidden />}
    </button>
  );
}

function StopButton({ chat }: { chat: Chat }) {
  const { t } = useTranslation();
  const isStopping = chat.running?.status === 'stopping';
  const label = isStopping ? t('com_chat_stopping') : t('com_chat_stop');
  return (
    <button
      type="button"
      className={`${classes.send} ${classes.stop}`}
      data-testid="stop-button"
      disabled={isStopping}
      aria-label={label}
      data-tooltip={label}
      onClick={chat.actions.stop}
    >
      <IconPlayerStopFilled aria-hidden />
    </button>
  );
}
