import { IconLayoutSidebar, IconPlus, IconSearch } from '@tabler/icons-react';
import type { MouseEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { SEARCH_PATH } from '../../search/search-address.ts';
import { SearchBox } from '../../search/search-box.tsx';
import { useSearchEnabled } from '../../search/use-search-enabled.ts';
import { Brand } from '../../ui/brand/brand.tsx';
import { buttonClasses } from '../../ui/button-classes.ts';
import { ConvoList } from './convo-list.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { NewChatLink } from '../../slots/new-chat-link.tsx';
import { isPlainClick } from '../../lib/plain-click.ts';
import classes from './sidebar.module.css';
import { useLaterParts } from '../lazy/use-later-parts.ts';
import { CLOSES_SIDEBAR } from '../../layout/use-sidebar-focus.ts';
import { withKeys } from '../../layout/shortcuts.ts';
import { useSidebar } from '../../layout/use-sidebar.ts';
import { UserMenu } from '../user-menu/user-menu.tsx';

/** A column beside the chat, or a drawer over it on small screens. Closed, it is inert but keeps its state. */
export function Sidebar({ isOpen }: { isOpen: boolean }) {
  const { t } = useTranslation();
  const { isDrawer, toggle, close } = useSidebar();
  const isSearchable = useSearchEnabled();

  /**
   * Closes the drawer also for a link to the current chat, which causes no navigation. With Ctrl, a click on a chat only
   * toggles the sidebar.
   */
  function onClick(event: MouseEvent): void {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (!link) return;
    if (isPlainClick(event)) {
      if (isDrawer) close();
    } else if (event.ctrlKey && link.matches('[data-row]')) {
      event.preventDefault();
      toggle();
    }
  }

  return (
    // Only handles clicks that bubble up from its links; a link followed by keyboard fires a click, too.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions
    <nav
      className={classes.sidebar}
      data-sidebar
      data-open={isOpen || undefined}
      inert={!isOpen}
      aria-label={t('com_nav_sidebar')}
      onClick={onClick}
    >
      <div className={classes.top}>
        <BrandRow />
        <NewChatLink className={buttonClasses({}, classes.wide)} data-testid="nav-new-chat-button">
          <IconPlus aria-hidden />
          {t('com_nav_new_chat')}
        </NewChatLink>
        {isSearchable && !isDrawer && <SearchBox />}
        {/* In a drawer this is a link to the search screen: results would be hidden behind the drawer. */}
        {isSearchable && isDrawer && (
          <Link href={SEARCH_PATH} className={buttonClasses({}, classes.wide)}>
            <IconSearch aria-hidden />
            {t('com_nav_search')}
          </Link>
        )}
      </div>
      <ConvoList />
      {(isOpen || isDrawer) && <UserMenu />}
    </nav>
  );
}

function BrandRow() {
  const { t } = useTranslation();
  const { close } = useSidebar();
  const later = useLaterParts();
  return (
    <div className={classes.brand}>
      <Brand isOneLine />
      <span className={classes.gap} />
      {later && <later.ListMenuButton />}
      <IconButton
        label={t('com_nav_close_sidebar')}
        onClick={close}
        {...withKeys('sidebar')}
        {...{ [CLOSES_SIDEBAR]: '' }}
      >
        <IconLayoutSidebar />
      </IconButton>
    </div>
  );
}
