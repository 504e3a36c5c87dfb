// The frame around every screen of a signed-in person: the list of conversations, who one is, and where the screen goes.
import { useAtomValue } from 'jotai';
import { useEffect, useRef, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'wouter';
import { Arriving } from '../lib/arriving.tsx';
import { lazyScreen } from '../lib/lazy-screen.tsx';
import { useDocumentTitle } from '../lib/use-document-title.ts';
import { useSearchedFor } from '../search/address.ts';
import { ConnectionNotice } from './connection-notice.tsx';
import { DialogPlace } from './dialogs/dialog-place.tsx';
import { hasDialogAtom } from './dialogs/dialogs.ts';
import { isForSidebar } from './escape.ts';
import { MobileHeader } from './mobile-header.tsx';
import { useOpenConvo } from './convos/open-convo.ts';
import classes from './shell.module.css';
import { Sidebar } from './sidebar/sidebar.tsx';
import { SkipLink } from './skip-link.tsx';
import { useChanges } from './convos/use-changes.ts';
import { useFocusHandover } from './sidebar/use-focus-handover.ts';
import { useShortcuts } from './use-shortcuts.ts';
import { useSidebar } from './sidebar/use-sidebar.ts';

const search = lazyScreen(async () => (await import('../search/search-view.tsx')).SearchView, 'ahead');

/**
 * The authenticated frame. `children`, or what was found instead of them, fills the main landmark, which is a flex column
 * as high as the screen allows.
 */
export function Shell({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  const sidebar = useSidebar();
  const isSearch = useSearchedFor() !== null;
  const hasDialog = useAtomValue(hasDialogAtom);
  const convo = useOpenConvo();
  const title = isSearch ? t('com_nav_search') : (convo?.title ?? null);
  const isCovered = sidebar.isDrawer && sidebar.isOpen;
  useChanges();
  useShortcuts();
  useDocumentTitle(title);
  useCloseOnNavigation();
  useCloseOnEscape();
  useFocusHandover(sidebar.isOpen);

  return (
    <>
      {/* Inert behind a dialog: whatever in it would take the focus a moment later cannot. */}
      <div className={classes.shell} data-nav={sidebar.isOpen ? 'open' : 'closed'} inert={hasDialog}>
        <SkipLink />
        <Sidebar isOpen={sidebar.isOpen} />
        {isCovered && (
          <button
            type="button"
            className={classes.mask}
            tabIndex={-1}
            aria-label={t('com_nav_close_sidebar')}
            onClick={sidebar.close}
          />
        )}
        {/* Inert behind the drawer, which keeps the focus in it without a trap of our own. */}
        <div className={classes.stage} inert={isCovered}>
          <MobileHeader title={title} />
          <ConnectionNotice />
          <main id="main" className={classes.main} tabIndex={-1}>
            {isSearch ? (
              <Arriving>
                <search.Screen />
              </Arriving>
            ) : (
              children
            )}
          </main>
        </div>
      </div>
      <DialogPlace />
    </>
  );
}

/** A drawer has done its work once it has taken someone somewhere. */
function useCloseOnNavigation(): void {
  const { isDrawer, isOpen, close } = useSidebar();
  const [location] = useLocation();
  const lastLocation = useRef(location);
  useEffect(() => {
    if (lastLocation.current === location) return;
    lastLocation.current = location;
    if (isDrawer && isOpen) close();
  }, [location, isDrawer, isOpen, close]);
}

function useCloseOnEscape(): void {
  const { isDrawer, isOpen, close } = useSidebar();
  useEffect(() => {
    if (!isDrawer || !isOpen) return;
    const onKeyDown = (event: KeyboardEvent) => {
      if (isForSidebar(event)) close();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [isDrawer, isOpen, close]);
}
