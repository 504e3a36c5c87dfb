import { IconLayoutSidebar, IconPlus } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import iconClasses from '../ui/icon-button.module.css';
import { IconButton } from '../ui/icon-button.tsx';
import { NewChatLink } from '../slots/new-chat-link.tsx';
import classes from './sidebar-controls.module.css';
import { OPENS_SIDEBAR } from './use-sidebar-focus.ts';
import { useSidebar } from './use-sidebar.ts';

/**
 * For a screen's header: the controls of the hidden sidebar. Renders nothing while the sidebar is visible or on small
 * screens.
 */
export function SidebarControls() {
  const { t } = useTranslation();
  const { isDrawer, isOpen, toggle } = useSidebar();
  if (isDrawer || isOpen) return null;
  return (
    <div className={classes.controls}>
      <IconButton label={t('com_nav_open_sidebar')} onClick={toggle} {...{ [OPENS_SIDEBAR]: '' }}>
        <IconLayoutSidebar />
      </IconButton>
      <NewChatLink
        className={iconClasses.button}
        aria-label={t('com_nav_new_chat')}
        title={t('com_nav_new_chat')}
        data-testid="wide-header-new-chat-button"
      >
        <IconPlus aria-hidden />
      </NewChatLink>
    </div>
  );
}
