import '@mantine/core/styles/VisuallyHidden.css';
import { VisuallyHidden } from '@mantine/core';
import { useAtomValue, useSetAtom } from 'jotai';
import { useEffect, useRef, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import type { Choice } from '../catalog/choose-model.ts';
import { EndpointPicker } from '../endpoints/endpoint-picker.tsx';
import { LazyBoundary } from '../ui/lazy/lazy-boundary.tsx';
import { deferred } from '../ui/lazy/deferred.tsx';
import { lazyScreen } from '../ui/lazy/lazy-screen.tsx';
import { hasChatAtom, openFileAtom } from '../files/open-file.ts';
import { Footer } from './footer.tsx';
import { DrawerNewChat, SidebarControls } from '../layout/sidebar-controls.tsx';
import { SidePanel, SidePanelToggle } from '../side-panel/deferred-side-panel.tsx';
import classes from './chat-pane.module.css';
import { useHasPluginBar } from './header/use-has-plugin-bar.ts';
import { useNarrowHeader } from './header/use-narrow-header.ts';
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

const HeaderMore = deferred(async () => (await import('./header/header-more.tsx')).HeaderMore, MorePlaceholder);

const fileColumn = lazyScreen(async () => (await import('../files/viewer/file-column.tsx')).FileColumn);

const FinishedAnnouncer = deferred(async () => (await import('../chat/finished-announcer.tsx')).FinishedAnnouncer);

/** One chat: the header with the model picker, the thread, and the composer. */
export function ChatPane() {
  const chat = useChat();
  const pick = useSwitchEndpoint(chat);
  usePreload(chat);
  const isForAssistants = chat.assistantState.status !== 'unneeded';
  const isMissing = chat.loading.status === 'missing';

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key !== 'Escape' || event.shiftKey || chat.generationId === null) return;
    event.preventDefault();
    chat.actions.stop();
  }

  return (
    <div className={classes.frame}>
      <div className={classes.pane}>
        <Header chat={chat} onPick={pick} />
        {/* Only handles events that bubble up from its controls. */}
        {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions */}
        <div
          className={classes.body}
          data-temporary={isTemporary(chat) || undefined}
          onKeyDown={onKeyDown}
          onInput={preloadThread}
        >
          <Content chat={chat} />
          {isTemporary(chat) && !isMissing && (
            <LazyBoundary isQuiet>
              <temporaryNotice.Screen chat={chat} />
            </LazyBoundary>
          )}
          {!isMissing && <Composer chat={chat} />}
        </div>
        {isForAssistants && (
          <LazyBoundary isQuiet>
            <autoSelect.Screen chat={chat} />
          </LazyBoundary>
        )}
        <Footer />
        <FinishedAnnouncer />
      </div>
      {!isMissing && <AtEnd chat={chat} onPick={pick} />}
    </div>
  );
}

/** Beside the chat: the file that is open, else the side panel. */
function AtEnd({ chat, onPick }: HeaderProps) {
  const file = useAtomValue(openFileAtom);
  const setFile = useSetAtom(openFileAtom);
  const setChat = useSetAtom(hasChatAtom);
  useEffect(() => {
    setChat(true);
    return () => setChat(false);
  }, [setChat]);
  if (!file) return <SidePanel chat={chat} onPick={onPick} />;
  return (
    <LazyBoundary onFailure={() => setFile(null)}>
      <fileColumn.Screen conversationId={chat.slot.conversationId} />
    </LazyBoundary>
  );
}

interface HeaderProps {
  chat: Chat;
  onPick: (choice: Choice) => void;
}

function Header({ chat, onPick }: HeaderProps) {
  const isNarrow = useNarrowHeader();
  const { conversationId } = chat.slot;
  const moreButton = useRef<HTMLButtonElement>(null);
  return (
    <header className={classes.header}>
      <SidebarControls />
      <EndpointPicker
        id="new-conversation-menu"
        modelTarget={chat.modelTarget}
        assistantState={chat.assistantState}
        onPick={onPick}
      />
      {chat.path.length > 0 && (
        <LazyBoundary isQuiet>
          <heading.Screen key={conversationId} chat={chat} moreButton={moreButton} />
        </LazyBoundary>
      )}
      <div className={classes.atEnd}>
        {isNarrow ? (
          <>
            <PluginBarAlone chat={chat} />
            <DrawerNewChat />
            {chat.loading.status !== 'missing' && <HeaderMore chat={chat} button={moreButton} />}
          </>
        ) : (
          <HeaderButtons chat={chat} />
        )}
      </div>
    </header>
  );
}

/** Keeps the place of the button that comes. */
function MorePlaceholder() {
  return <span className={classes.more} />;
}

/** Conditional buttons come first, so that the others keep their position. */
function HeaderButtons({ chat }: { chat: Chat }) {
  const isMissing = chat.loading.status === 'missing';
  return (
    <>
      <TreeButtons chat={chat} />
      {chat.slot.isNewChat && <TemporaryToggle chat={chat} />}
      <HeaderParams chat={chat} />
      {!isMissing && <PresetsButton chat={chat} />}
      {!isMissing && <SidePanelToggle />}
      <DrawerNewChat />
    </>
  );
}

/** In a narrow header, only the plugins have a button of their own. */
function PluginBarAlone({ chat }: { chat: Chat }) {
  return useHasPluginBar(chat) && <HeaderParams chat={chat} />;
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
