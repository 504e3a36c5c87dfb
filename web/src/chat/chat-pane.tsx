import '@mantine/core/styles/VisuallyHidden.css';
import { VisuallyHidden } from '@mantine/core';
import { useEffect, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { EndpointPicker } from '../endpoints/endpoint-picker.tsx';
import { Arriving } from '../lib/arriving.tsx';
import { lazyLater } from '../lib/lazy-later.tsx';
import { Footer } from '../shell/footer.tsx';
import { SidebarControls } from '../shell/sidebar/sidebar-controls.tsx';
import { SidePanel, SidePanelToggle } from '../side-panel/side-panel-place.tsx';
import { Announcer } from './announce.tsx';
import classes from './chat-pane.module.css';
import { Composer } from './composer/composer.tsx';
import { Landing } from './landing.tsx';
import { LazyThread, preloadThread } from './thread/lazy-thread.tsx';
import { LoadFailed, LoadingThread, MissingConversation } from './states.tsx';
import { TreeButton } from './tree/tree-button.tsx';
import { useChat, type Chat } from './use-chat.ts';
import { usePick } from './use-pick.ts';

const PresetsButton = lazyLater(async () => (await import('../presets/presets-button.tsx')).PresetsButton);

const ParamsButton = lazyLater(async () => (await import('../params/params-button.tsx')).ParamsButton);

/** One chat: whom it talks to, what was said, and where one writes. */
export function ChatPane() {
  const chat = useChat();
  const pick = usePick(chat);
  usePreload(chat);

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
          <EndpointPicker id="new-conversation-menu" addressee={chat.addressee} onPick={pick} />
          <ParamsButton chat={chat} />
          {/* What comes and goes stands first: the others stay where they are. */}
          <div className={classes.atEnd}>
            <TreeButton chat={chat} />
            <PresetsButton chat={chat} />
            <SidePanelToggle />
          </div>
        </header>
        {/* Only listens to what bubbles up from the controls in it. */}
        {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions */}
        <div className={classes.body} onKeyDown={onKeyDown} onInput={preloadThread}>
          <Content chat={chat} />
          {chat.loading.status !== 'missing' && <Composer chat={chat} />}
        </div>
        <Footer />
        <Announcer />
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
      return <MissingConversation />;
    case 'failed':
      return <LoadFailed error={loading.error} retry={loading.retry} />;
    case 'ready':
      if (path.length === 0) return <Landing addressee={chat.addressee} />;
      return (
        <>
          <VisuallyHidden component="h1">{convo?.title ?? t('com_ui_new_chat')}</VisuallyHidden>
          <Arriving fallback={<LoadingThread />}>
            <LazyThread key={slot.conversationId} chat={chat} />
          </Arriving>
        </>
      );
    default:
      return loading satisfies never;
  }
}

/** Whoever writes will soon read, and whoever opens a conversation reads at once. */
function usePreload({ slot }: Chat): void {
  useEffect(() => {
    if (!slot.isFresh) preloadThread();
  }, [slot.isFresh]);
}
