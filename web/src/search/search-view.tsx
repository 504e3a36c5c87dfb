import './lazy-words.ts';
// The search view: what was found stands where the messages were. Nothing can be sent from here.
import '@mantine/core/styles/VisuallyHidden.css';
import { VisuallyHidden } from '@mantine/core';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { SidebarControls } from '../shell/sidebar/sidebar-controls.tsx';
import { useSidebar } from '../shell/sidebar/use-sidebar.ts';
import { useSearchedFor } from './address.ts';
import { Results } from './results.tsx';
import { SearchBox } from './search-box.tsx';
import classes from './search-view.module.css';
import { useSearchEnabled } from './use-search-enabled.ts';

export function SearchView() {
  const { t } = useTranslation();
  const { isDrawer, isOpen } = useSidebar();
  const query = useSearchedFor()?.trim() ?? '';
  const isEnabled = useSearchEnabled();
  useFocusUnlessTaken();
  const hasBox = isEnabled && (isDrawer || !isOpen);
  const title = query === '' ? t('com_nav_search_placeholder') : t('com_search_for', { 0: query });
  return (
    <div className={classes.view}>
      <header className={classes.header}>
        <SidebarControls />
        {hasBox && <SearchBox autoFocus={query === ''} />}
        {hasBox ? <VisuallyHidden component="h1">{title}</VisuallyHidden> : <h1 className={classes.title}>{title}</h1>}
      </header>
      {isEnabled && query !== '' && <Results query={query} />}
      {isEnabled && query === '' && <p className={classes.notice}>{t('com_search_hint')}</p>}
      {!isEnabled && <p className={classes.notice}>{t('com_search_off')}</p>}
    </div>
  );
}

/** The chat that had the focus has made room: what was found has it, unless one is still writing what to search for. */
function useFocusUnlessTaken(): void {
  useEffect(() => {
    if (document.activeElement === document.body) document.getElementById('main')?.focus();
  }, []);
}
