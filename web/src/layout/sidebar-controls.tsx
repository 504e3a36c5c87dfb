import { IconLayoutSidebar, IconMenu2, IconPlus } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import iconClasses from '../ui/icon-button.module.css';
import { IconButton } from '../ui/icon-button.tsx';
import { NewChatLink } from '../slots/new-chat-link.tsx';
import classes from './sidebar-controls.module.css';
import { OPENS_SIDEBAR } from './use-sidebar-focus.ts';
import { useSidebar } from './use-sidebar.ts';

/** For the start of a screen's header: opens the sidebar. Renders nothing while the sidebar is a visible column. */
export function SidebarControls() {
  const { t } = useTranslation();
  const { isDrawer, isOpen, toggle } = useSidebar();
  if (!isDrawer && isOpen) return null;
  return (
    <div className={classes.controls}>
      <IconButton label={t('com_nav_open_sidebar')} onClick={toggle} {...{ [OPENS_SIDEBAR]: '' }}>
        {isDrawer ? <IconMenu2 /> : <IconLayoutSidebar />}
      </IconButton>
      {!isDrawer && <NewChat testId="wide-header-new-chat-button" />}
    </div>
  );
}

/** For the end of a screen's header where the sidebar is a drawer: a new chat without opening it. */
export function DrawerNewChat() {
  return useSidebar().isDrawer && <NewChat testId="mobile-header-new-chat-button" />;
}

function NewChat({ testId }: { testId: string }) {
  const { t } = useTranslation();
  return (
    <NewChatLink
      className={iconClasses.button}
      aria-label={t('com_nav_new_chat')}
      data-tooltip={t('com_nav_new_chat')}
      data-testid={testId}
    >
      <IconPlus aria-hidden />
    </NewChatLink>
  );
}
