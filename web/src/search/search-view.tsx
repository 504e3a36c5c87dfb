// The search view: results instead of the thread. It has no composer.
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { SidebarControls } from '../layout/sidebar-controls.tsx';
import { useSidebar } from '../layout/use-sidebar.ts';
import { useSearchQuery } from './search-address.ts';
import { SearchResults } from './search-results.tsx';
import { SearchBox } from './search-box.tsx';
import classes from './search-view.module.css';
import { useSearchEnabled } from './use-search-enabled.ts';
import { VisuallyHidden } from '../ui/primitives/visually-hidden.tsx';

export function SearchView() {
  const { t } = useTranslation();
  const { isDrawer, isOpen } = useSidebar();
  const query = useSearchQuery()?.trim() ?? '';
  const isEnabled = useSearchEnabled();
  useFocusUnlessTaken();
  const hasBox = isEnabled && (isDrawer || !isOpen);
  const title = query === '' ? t('com_nav_search_placeholder') : t('com_search_for', { 0: query });
  return (
    <div className="fill-column">
      <header className={classes.header}>
        {/* A drawer is opened by the header above. */}
        {!isDrawer && <SidebarControls />}
        {hasBox && <SearchBox autoFocus={query === ''} />}
        {hasBox ? <VisuallyHidden component="h1">{title}</VisuallyHidden> : <h1 className={classes.title}>{title}</h1>}
      </header>
      {isEnabled && query !== '' && <SearchResults query={query} />}
      {isEnabled && query === '' && <p className={classes.notice}>{t('com_search_hint')}</p>}
      {!isEnabled && <p className={classes.notice}>{t('com_search_off')}</p>}
    </div>
  );
}

/** The chat that had the focus is gone: focus the results, unless the user still types in the search box. */
function useFocusUnlessTaken(): void {
  useEffect(() => {
    if (document.activeElement === document.body) document.getElementById('main')?.focus();
  }, []);
}
