import '@mantine/core/styles/VisuallyHidden.css';
import { VisuallyHidden } from '@mantine/core';
import { useEffect, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { EndpointPicker } from '../endpoints/endpoint-picker.tsx';
import { LazyBoundary } from '../ui/lazy/lazy-boundary.tsx';
import { deferred } from '../ui/lazy/deferred.tsx';
import { lazyScreen } from '../ui/lazy/lazy-screen.tsx';
import { Footer } from './footer.tsx';
import { DrawerNewChat, SidebarControls } from '../layout/sidebar-controls.tsx';
import { SidePanel, SidePanelToggle } from '../side-panel/deferred-side-panel.tsx';
import classes from './chat-pane.module.css';
import { Composer } from '../chat/composer/composer.tsx';
import { Landing } from '../chat/landing/landing.tsx';
import { LazyThread, preloadThread } from '../chat/thread/lazy-thread.tsx';
import { LoadingThread } from '../chat/thread/loading-thread.tsx';
import { isTemporary } from '../chat/is-temporary.ts';
import { useChat, type Chat } from '../chat/use-chat.ts';
import { useSwitchEndpoint } from '../chat/use-switch-endpoint.ts';

const autoSelect = lazyScreen(async () => (await import('../assistants/auto-select.tsx')).AutoSelect);

const heading = lazyScreen(async () => (await import('./header/convo-heading.tsx')).ConvoHeading, 'ahead');

// Ahead of need: what fails to load may be all that comes later, too.
const failed = lazyScreen(async () => (await import('../chat/thread/thread-states.tsx')).LoadFailed, 'ahead');

const missing = lazyScreen(async () => (await import('../chat/thread/thread-states.tsx')).MissingConversation, 'ahead');

const PresetsButton = deferred(async () => (await import('../chat/header/presets-button.tsx')).PresetsButton);

const TreeButtons = deferred(async () => (await import('../chat/tree/tree-buttons.tsx')).TreeButtons);

const TemporaryToggle = deferred(async () => (await import('../temporary/temporary-toggle.tsx')).TemporaryToggle);

const temporaryNotice = lazyScreen(async () => (await import('../temporary/temporary-notice.tsx')).TemporaryNotice);

const HeaderParams = deferred(async () => (await import('./header/header-params.tsx')).HeaderParams);

const FinishedAnnouncer = deferred(async () => (await import('../chat/finished-announcer.tsx')).FinishedAnnouncer);

/** One chat: the header with the model picker, the thread, and the composer. */
export function ChatPane() {
  const chat = useChat();
  const pick = useSwitchEndpoint(chat);
  usePreload(chat);
  const isForAssistants = chat.assistantState.status !== 'unneeded';

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key !== 'Escape' || event.shiftKey || chat.generationId === null) return;
    event.preventDefault();
    chat.actions.stop();
  }

  return (
    <div className={classes.frame}>
      <div className={classes.pane}>
        <header className={classes.header}>
          <SidebarControls />
          <EndpointPicker id="new-conversation-menu" modelTarget={chat.modelTarget} onPick={pick} />
          {chat.path.length > 0 && (
            <LazyBoundary isQuiet>
              <heading.Screen key={chat.slot.conversationId} chat={chat} />
            </LazyBoundary>
          )}
          {/* Conditional buttons come first, so that the others keep their position. */}
          <div className={classes.atEnd}>
            <TreeButtons chat={chat} />
            {chat.slot.isNewChat && <TemporaryToggle chat={chat} />}
            <div className={classes.params} data-assistants={isForAssistants || undefined}>
              <HeaderParams chat={chat} />
            </div>
            <PresetsButton chat={chat} />
            <div className={classes.panel} data-assistants={isForAssistants || undefined}>
              <SidePanelToggle />
            </div>
            <DrawerNewChat />
          </div>
        </header>
        {/* Only handles events that bubble up from its controls. */}
        {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions */}
        <div
          className={classes.body}
          data-temporary={isTemporary(chat) || undefined}
          onKeyDown={onKeyDown}
          onInput={preloadThread}
        >
          <Content chat={chat} />
          {isTemporary(chat) && chat.loading.status !== 'missing' && (
            <LazyBoundary isQuiet>
              <temporaryNotice.Screen chat={chat} />
            </LazyBoundary>
          )}
          {chat.loading.status !== 'missing' && <Composer chat={chat} />}
        </div>
        {isForAssistants && (
          <LazyBoundary isQuiet>
            <autoSelect.Screen chat={chat} />
          </LazyBoundary>
        )}
        <Footer />
        <FinishedAnnouncer />
      </div>
      <SidePanel chat={chat} onPick={pick} />
    </div>
  );
}

function Content({ chat }: { chat: Chat }) {
  const { t } = useTranslation();
  const { loading, path, slot, convo } = chat;
  switch (loading.status) {
    case 'loading':
      return <LoadingThread />;
    case 'missing':
      return (
        <LazyBoundary>
          <missing.Screen />
        </LazyBoundary>
      );
    case 'failed':
      return (
        <LazyBoundary>
          <failed.Screen error={loading.error} retry={loading.retry} />
        </LazyBoundary>
      );
    case 'ready':
      if (path.length === 0) return <Landing chat={chat} />;
      return (
        <>
          <VisuallyHidden component="h1">{convo?.title ?? t('com_ui_new_chat')}</VisuallyHidden>
          <LazyBoundary fallback={<LoadingThread />}>
            <LazyThread key={slot.conversationId} chat={chat} />
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
