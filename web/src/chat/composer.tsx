import { IconArrowUp, IconPlayerStopFilled } from '@tabler/icons-react';
import { useAtom, useAtomValue } from 'jotai';
import { lazy, Suspense, useRef, type ChangeEvent, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { preloadMarkdown } from '../content/lazy-markdown.tsx';
import { endpointLabel } from '../endpoints/choose.ts';
import { canSend } from './chat-actions.ts';
import { ComposerNotice } from './composer-notice.tsx';
import classes from './composer.module.css';
import { composerId } from './focus-composer.ts';
import { sendsMessage } from './sends-message.ts';
import { useRoom } from './room-context.tsx';
import { draftKeyOf, useSlotIndex } from './slot.ts';
import { useAutosize } from './use-autosize.ts';
import type { Chat } from './use-chat.ts';
import { useComposerFocus } from './use-composer-focus.ts';
import { useSend } from './use-send.ts';
import { useSharedDrafts } from './use-shared-drafts.ts';

const DraftOffer = lazy(() => import('./draft-offer.tsx').then(({ DraftOffer }) => ({ default: DraftOffer })));
const BudgetBar = lazy(() => import('../context/budget-bar.tsx').then(({ BudgetBar }) => ({ default: BudgetBar })));

/** Where one writes. It works before anything else is loaded; sending waits for what it needs. */
export function Composer({ chat }: { chat: Chat }) {
  const { t } = useTranslation();
  const index = useSlotIndex();
  const { drafts } = useRoom();
  const draftKey = draftKeyOf(chat.slot);
  const [text, setText] = useAtom(drafts.draftAtom(draftKey));
  const hasOffer = useAtomValue(drafts.local.entry(draftKey))?.offered != null;
  const box = useRef<HTMLTextAreaElement>(null);
  useAutosize(box, text);
  useComposerFocus(box, chat.slot);
  useSharedDrafts();
  const send = useSend(chat, text, () => setText(''));

  const isDisabled = chat.blockedBy !== null || chat.addressee === null;
  const name = chat.addressee && endpointLabel(chat.addressee.endpoint);
  const label = name ? t('com_endpoint_message_for', { 0: name }) : t('com_endpoint_message');

  function onChange({ currentTarget }: ChangeEvent<HTMLTextAreaElement>): void {
    setText(currentTarget.value);
    // Whoever writes will soon read.
    void preloadMarkdown();
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (!sendsMessage(event.nativeEvent)) return;
    event.preventDefault();
    send();
  }

  return (
    <form
      className={classes.dock}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      {hasOffer && (
        <Suspense>
          <DraftOffer draftKey={draftKey} onDone={() => box.current?.focus()} />
        </Suspense>
      )}
      {/* A click beside the text means the text. */}
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions */}
      <div
        className={classes.box}
        data-disabled={isDisabled || undefined}
        onClick={(event) => event.target === event.currentTarget && box.current?.focus()}
      >
        <textarea
          ref={box}
          id={composerId(index)}
          className={classes.text}
          data-testid="text-input"
          rows={1}
          // Of an empty text nobody can tell the direction: it has that of the page.
          dir={text === '' ? undefined : 'auto'}
          value={text}
          disabled={isDisabled}
          placeholder={label}
          aria-label={label}
          onChange={onChange}
          onKeyDown={onKeyDown}
        />
        <div className={classes.bar}>
          <ComposerNotice chat={chat} />
          {text !== '' && !isDisabled && (
            <Suspense>
              <BudgetBar key={chat.slot.conversationId} chat={chat} text={text} />
            </Suspense>
          )}
          {chat.generationId === null ? (
            <button
              type="submit"
              className={classes.send}
              data-testid="send-button"
              disabled={text.trim() === '' || !canSend(chat)}
              aria-label={t('com_chat_send')}
              title={t('com_chat_send')}
            >
              <IconArrowUp aria-hidden />
            </button>
          ) : (
            <StopButton chat={chat} />
          )}
        </div>
      </div>
    </form>
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
      title={label}
      onClick={chat.actions.stop}
    >
      <IconPlayerStopFilled aria-hidden />
    </button>
  );
}
