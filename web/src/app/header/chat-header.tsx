import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { Choice } from '../../catalog/choose-model.ts';
import { isTemporary } from '../../chat/is-temporary.ts';
import type { Chat } from '../../chat/use-chat.ts';
import { EndpointPicker } from '../../endpoints/endpoint-picker.tsx';
import { DrawerNewChat, SidebarControls } from '../../layout/sidebar-controls.tsx';
import { useLaterParts } from '../lazy/use-later-parts.ts';
import classes from './chat-header.module.css';
import { useHasMore } from './use-has-more.ts';
import { useHasPluginBar } from './use-has-plugin-bar.ts';
import { useNarrowHeader } from './use-narrow-header.ts';

export interface ChatHeaderProps {
  chat: Chat;
  onPick: (choice: Choice) => void;
}

/** The model picker, the title, and what can be done with the chat. */
export function ChatHeader({ chat, onPick }: ChatHeaderProps) {
  const { t } = useTranslation();
  const isNarrow = useNarrowHeader();
  const hasMore = useHasMore(chat);
  const { conversationId, isNewChat } = chat.slot;
  const moreButton = useRef<HTMLButtonElement>(null);
  const later = useLaterParts(!isNewChat);
  const isMissing = chat.loading.status === 'missing';
  // On a phone, a new chat has its title, too; a temporary one says everywhere what it is.
  const isTitled = isNarrow || isTemporary(chat) ? !isMissing : chat.path.length > 0;
  return (
    <header className={classes.header}>
      <SidebarControls />
      <div className={classes.names} data-titled={isTitled || undefined}>
        <EndpointPicker
          id="new-conversation-menu"
          modelTarget={chat.modelTarget}
          assistantState={chat.assistantState}
          instead={chat.convo?.columns && t('com_compare_models', { count: chat.convo.columns.length })}
          onPick={onPick}
        />
        {later && isTitled && <later.ConvoHeading key={conversationId} chat={chat} moreButton={moreButton} />}
      </div>
      <div className={classes.atEnd}>
        {isNarrow ? <PluginBarAlone chat={chat} /> : <HeaderButtons chat={chat} />}
        <DrawerNewChat />
        {!isMissing &&
          hasMore &&
          (later ? <later.HeaderMore chat={chat} button={moreButton} /> : <span className={classes.more} />)}
      </div>
    </header>
  );
}

/** Conditional buttons come first, so that the others keep their position. */
function HeaderButtons({ chat }: { chat: Chat }) {
  const later = useLaterParts();
  if (!later) return null;
  return (
    <>
      <later.TreeButtons chat={chat} />
      {chat.slot.isNewChat && <later.TemporaryToggle chat={chat} />}
      <later.ShareButton chat={chat} />
      <later.HeaderParams chat={chat} />
      {chat.loading.status !== 'missing' && <later.PresetsButton chat={chat} />}
    </>
  );
}

/** In a narrow header, only the plugins have a button of their own. */
function PluginBarAlone({ chat }: { chat: Chat }) {
  const later = useLaterParts();
  return useHasPluginBar(chat) && later && <later.HeaderParams chat={chat} />;
}
