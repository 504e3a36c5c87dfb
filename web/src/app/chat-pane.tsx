import { useAtomValue } from 'jotai';
import { useEffect, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { LazyBoundary } from '../ui/lazy/lazy-boundary.tsx';
import { BesideChat } from './beside-chat.tsx';
import { Footer } from './footer.tsx';
import classes from './chat-pane.module.css';
import { ChatHeader } from './header/chat-header.tsx';
import { firstWordsAtom } from '../convos/pending-changes.ts';
import { Composer } from '../chat/composer/composer.tsx';
import { Landing, LandingEnd } from '../chat/landing/landing.tsx';
import { columnsView } from '../chat/columns/lazy-compare.ts';
import { LazyThread, preloadThread } from '../chat/thread/lazy-thread.tsx';
import { LoadingThread } from '../chat/thread/loading-thread.tsx';
import { isEmptyChat } from '../chat/is-empty-chat.ts';
import { isTemporary } from '../chat/is-temporary.ts';
import { useChat, type Chat } from '../chat/use-chat.ts';
import { usePickEndpoint } from '../chat/use-switch-endpoint.ts';
import { VisuallyHidden } from '../ui/primitives/visually-hidden.tsx';
import { LoadFailed, MissingConversation } from '../chat/thread/thread-states.tsx';
import { useLaterParts } from './lazy/use-later-parts.ts';

/** One chat: the header with the model picker, the thread, and the composer. */
export function ChatPane() {
  const chat = useChat();
  const pick = usePickEndpoint(chat);
  const isForAssistants = chat.assistantState.status !== 'unneeded';
  const later = useLaterParts(isForAssistants || isTemporary(chat));
  usePreload(chat);
  const isMissing = chat.loading.status === 'missing';

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key !== 'Escape' || event.shiftKey || chat.generationId === null) return;
    event.preventDefault();
    chat.actions.stop();
  }

  return (
    <div className={classes.frame}>
      <div className={classes.pane} data-temporary={isTemporary(chat) || undefined}>
        <ChatHeader chat={chat} onPick={pick} />
        {later && <later.FindPlace chat={chat} />}
        {/* Only handles events that bubble up from its controls. */}
        {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions */}
        <div
          className={classes.body}
          data-empty={isEmptyChat(chat) || undefined}
          data-body
          onKeyDown={onKeyDown}
          onInput={preloadThread}
        >
          {later && chat.slot.isNewChat && <later.FirstPersonNotice chat={chat} />}
          <Content chat={chat} />
          {later && isTemporary(chat) && !isMissing && <later.TemporaryNotice chat={chat} />}
          {!isMissing && <Composer chat={chat} />}
          {isEmptyChat(chat) && <LandingEnd chat={chat} />}
          {later && !isMissing && <later.Mentions chat={chat} />}
        </div>
        {later && isForAssistants && <later.AutoSelect chat={chat} />}
        <Footer />
        {later && <later.FinishedAnnouncer />}
        {later && <later.PrintPlace chat={chat} />}
      </div>
      {!isMissing && <BesideChat chat={chat} onPick={pick} />}
    </div>
  );
}

function Content({ chat }: { chat: Chat }) {
  const { t } = useTranslation();
  const { loading, path, slot, convo } = chat;
  const words = useAtomValue(firstWordsAtom).get(slot.conversationId);
  switch (loading.status) {
    case 'loading':
      return <LoadingThread />;
    case 'missing':
      return <MissingConversation />;
    case 'failed':
      return <LoadFailed error={loading.error} retry={loading.retry} />;
    case 'ready':
      if (path.length === 0) return <Landing chat={chat} />;
      return (
        <>
          <VisuallyHidden component="h1">
            {isTemporary(chat) ? t('com_temporary') : (convo?.title ?? words ?? t('com_ui_new_chat'))}
          </VisuallyHidden>
          <LazyBoundary fallback={<LoadingThread />}>
            {convo?.columns ? (
              <columnsView.Screen key={slot.conversationId} chat={chat} />
            ) : (
              <LazyThread key={slot.conversationId} chat={chat} />
            )}
          </LazyBoundary>
        </>
      );
    default:
      return loading satisfies never;
  }
}

/** Preloads the thread code: writing leads to reading, and opening a conversation reads at once. */
function usePreload({ slot }: Chat): void {
  useEffect(() => {
    if (!slot.isNewChat) preloadThread();
  }, [slot.isNewChat]);
}
