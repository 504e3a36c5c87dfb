import { IconMenu2, IconPlus } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import iconClasses from '../ui/icon-button.module.css';
import { IconButton } from '../ui/icon-button.tsx';
import { NewChatLink } from '../slots/new-chat-link.tsx';
import { withKeys } from './shortcuts.ts';
import { OPENS_SIDEBAR } from './use-sidebar-focus.ts';
import { useSidebar } from './use-sidebar.ts';

/** For the start of a screen's header where the sidebar is a drawer: opens it. A column has its own button, or a rail. */
export function SidebarControls() {
  const { t } = useTranslation();
  const { isDrawer, toggle } = useSidebar();
  if (!isDrawer) return null;
  return (
    <IconButton
      label={t('com_nav_open_sidebar')}
      onClick={toggle}
      {...withKeys('sidebar')}
      {...{ [OPENS_SIDEBAR]: '' }}
    >
      <IconMenu2 />
    </IconButton>
  );
}

/** For the end of a screen's header where the sidebar is a drawer: a new chat without opening it. */
export function DrawerNewChat() {
  return useSidebar().isDrawer && <NewChatIcon testId="mobile-header-new-chat-button" />;
}

export function NewChatIcon({ testId }: { testId: string }) {
  const { t } = useTranslation();
  return (
    <NewChatLink
      className={iconClasses.button}
      aria-label={t('com_nav_new_chat')}
      data-tooltip={t('com_nav_new_chat')}
      {...withKeys('newChat')}
      data-testid={testId}
    >
      <IconPlus aria-hidden />
    </NewChatLink>
  );
}
