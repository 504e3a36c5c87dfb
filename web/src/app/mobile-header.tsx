import { IconMenu2, IconPlus } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import iconClasses from '../ui/icon-button.module.css';
import { IconButton } from '../ui/icon-button.tsx';
import classes from './mobile-header.module.css';
import { NewChatLink } from '../slots/new-chat-link.tsx';
import { OPENS_SIDEBAR } from '../layout/use-sidebar-focus.ts';
import { useSidebar } from '../layout/use-sidebar.ts';

/** The header of a small screen, which has no sidebar column. */
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
