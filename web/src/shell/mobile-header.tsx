import { IconMenu2, IconPlus } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import iconClasses from './icon-button.module.css';
import { IconButton } from './icon-button.tsx';
import classes from './mobile-header.module.css';
import { NewChatLink } from './sidebar/new-chat-link.tsx';
import { OPENS_SIDEBAR } from './sidebar/use-focus-handover.ts';
import { useSidebar } from './sidebar/use-sidebar.ts';

/** What stands on top of a small screen in place of the sidebar. */
export function MobileHeader({ title }: { title: string | null }) {
  const { t } = useTranslation();
  const { toggle } = useSidebar();
  return (
    <header className={classes.header}>
      <IconButton label={t('com_nav_open_sidebar')} onClick={toggle} {...{ [OPENS_SIDEBAR]: '' }}>
        <IconMenu2 />
      </IconButton>
      <span className={classes.title} dir="auto">
        {title ?? t('com_ui_new_chat')}
      </span>
      <NewChatLink
        className={iconClasses.button}
        aria-label={t('com_nav_new_chat')}
        title={t('com_nav_new_chat')}
        data-testid="mobile-header-new-chat-button"
      >
        <IconPlus aria-hidden />
      </NewChatLink>
    </header>
  );
}
