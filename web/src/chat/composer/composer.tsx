import { IconArrowUp, IconPlayerStopFilled } from '@tabler/icons-react';
import { atom, useAtomValue } from 'jotai';
import { useCallback, useLayoutEffect, useMemo, useRef, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { endpointLabel } from '../../endpoints/choose.ts';
import { Arriving } from '../../lib/arriving.tsx';
import { lazyScreen } from '../../lib/lazy-screen.tsx';
import { wantsKey } from '../../keys/key-state.ts';
import { canSend } from '../chat-actions.ts';
import { ComposerNotice } from './composer-notice.tsx';
import classes from './composer.module.css';
import { DraftBox } from './draft-box.tsx';
import type { DraftBox as Drafts } from '../drafts/drafts.ts';
import { composerId } from './focus-composer.ts';
import { sendsMessage } from './sends-message.ts';
import { useRoom } from '../room-context.tsx';
import { draftKeyOf, useSlotIndex } from '../slot.ts';
import type { Chat } from '../use-chat.ts';
import { useComposerFocus } from './use-composer-focus.ts';
import { useSend } from './use-send.ts';
import { useSharedDrafts } from '../drafts/use-shared-drafts.ts';

const draftOffer = lazyScreen(async () => (await import('../drafts/draft-offer.tsx')).DraftOffer);
const budgetBar = lazyScreen(async () => (await import('../../context/budget-bar.tsx')).BudgetBar, 'ahead');

/** Where one writes. It works before anything else is loaded; sending waits for what it needs. */
export function Composer({ chat }: { chat: Chat }) {
  const { t } = useTranslation();
  const index = useSlotIndex();
  const { drafts } = useRoom();
  const draftKey = draftKeyOf(chat.slot);
  const draft = drafts.draftAtom(draftKey);
  const { isEmpty, isBlank, hasOffer } = useDraftState(drafts, draftKey);
  const box = useRef<HTMLTextAreaElement>(null);
  useComposerFocus(box, chat.slot);
  useSharedDrafts();
  const send = useSend(chat, draft);

  const isDisabled = chat.blockedBy !== null || chat.addressee === null || wantsKey(chat.keyState);
  const name = chat.addressee && endpointLabel(chat.addressee.endpoint);
  const label = name ? t('com_endpoint_message_for', { 0: name }) : t('com_endpoint_message');

  const newestSend = useRef(send);
  useLayoutEffect(() => void (newestSend.current = send));
  const onKeyDown = useCallback((event: KeyboardEvent): void => {
    if (!sendsMessage(event.nativeEvent)) return;
    event.preventDefault();
    newestSend.current();
  }, []);

  return (
    <form
      className={classes.dock}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      {hasOffer && (
        <Arriving isQuiet>
          <draftOffer.Screen draftKey={draftKey} onDone={() => box.current?.focus()} />
        </Arriving>
      )}
      {/* A click beside the text means the text. */}
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions */}
      <div
        className={classes.box}
        data-disabled={isDisabled || undefined}
        onClick={(event) => event.target === event.currentTarget && box.current?.focus()}
      >
        <DraftBox
          draft={draft}
          ref={box}
          id={composerId(index)}
          className={classes.text}
          label={label}
          isEmpty={isEmpty}
          isDisabled={isDisabled}
          onKeyDown={onKeyDown}
        />
        <div className={classes.bar}>
          <ComposerNotice chat={chat} />
          {!isEmpty && !isDisabled && (
            <Arriving isQuiet>
              <budgetBar.Screen key={chat.slot.conversationId} chat={chat} draft={draft} />
            </Arriving>
          )}
          {chat.generationId === null ? (
            <button
              type="submit"
              className={classes.send}
              data-testid="send-button"
              disabled={isBlank || !canSend(chat)}
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

/** What the page around the box is drawn from: not the text, which changes with every key. */
function useDraftState({ draftAtom, local }: Drafts, key: string) {
  const state = useMemo(() => {
    const draft = draftAtom(key);
    const entry = local.entry(key);
    return {
      isEmpty: atom((get) => get(draft) === ''),
      isBlank: atom((get) => get(draft).trim() === ''),
      hasOffer: atom((get) => get(entry)?.offered != null),
    };
  }, [draftAtom, local, key]);
  return {
    isEmpty: useAtomValue(state.isEmpty),
    isBlank: useAtomValue(state.isBlank),
    hasOffer: useAtomValue(state.hasOffer),
  };
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
