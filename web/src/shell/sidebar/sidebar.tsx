import { IconLayoutSidebar, IconPlus, IconSearch } from '@tabler/icons-react';
import type { MouseEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { useStartup } from '../../lib/startup.ts';
import { SEARCH_PATH } from '../../search/address.ts';
import { SearchBox } from '../../search/search-box.tsx';
import { useSearchEnabled } from '../../search/use-search-enabled.ts';
import { ConvoList } from './convo-list.tsx';
import { IconButton } from '../icon-button.tsx';
import { NewChatLink } from './new-chat-link.tsx';
import { isPlainClick } from '../plain-click.ts';
import classes from './sidebar.module.css';
import { CLOSES_SIDEBAR } from './use-focus-handover.ts';
import { useSidebar } from './use-sidebar.ts';
import { UserMenu } from '../user-menu.tsx';

/** A column beside the chat, or a drawer over it on small screens. Closed, it is out of reach but keeps its place. */
export function Sidebar({ isOpen }: { isOpen: boolean }) {
  const { t } = useTranslation();
  const { isDrawer, close } = useSidebar();
  const isSearchable = useSearchEnabled();

  /** The chat one goes to may be the one that is open behind the drawer. */
  function onClick(event: MouseEvent): void {
    if (isDrawer && isPlainClick(event) && event.target instanceof Element && event.target.closest('a')) close();
  }

  return (
    <nav
      className={classes.sidebar}
      data-open={isOpen || undefined}
      inert={!isOpen}
      aria-label={t('com_nav_sidebar')}
      onClick={onClick}
    >
      <div className={classes.top}>
        <Brand />
        <NewChatLink className={classes.newChat} data-testid="nav-new-chat-button">
          <IconPlus aria-hidden />
          {t('com_nav_new_chat')}
        </NewChatLink>
        {isSearchable && !isDrawer && <SearchBox />}
        {/* What is found would stand behind the drawer: one searches where it stands. */}
        {isSearchable && isDrawer && (
          <Link href={SEARCH_PATH} className={classes.search}>
            <IconSearch aria-hidden />
            {t('com_nav_search')}
          </Link>
        )}
      </div>
      <ConvoList />
      <UserMenu />
    </nav>
  );
}

function Brand() {
  const { t } = useTranslation();
  const { close } = useSidebar();
  const name = useStartup()?.appTitle ?? 'Parley';
  return (
    <div className={classes.brand}>
      <span className={classes.mark} aria-hidden>
        {name.charAt(0)}
      </span>
      <span className={classes.name} title={name}>
        {name}
      </span>
      <IconButton label={t('com_nav_close_sidebar')} onClick={close} {...{ [CLOSES_SIDEBAR]: '' }}>
        <IconLayoutSidebar />
      </IconButton>
    </div>
  );
}
