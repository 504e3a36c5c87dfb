// The frame around every screen of a signed-in user: the sidebar, the user menu, and the main landmark.
import type { ParseKeys } from 'i18next';
import { useAtomValue } from 'jotai';
import { useEffect, useRef, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'wouter';
import { LazyBoundary } from '../ui/lazy/lazy-boundary.tsx';
import { lazyScreen } from '../ui/lazy/lazy-screen.tsx';
import { useDocumentTitle } from '../ui/hooks/use-document-title.ts';
import { useEventListener } from '../ui/hooks/use-event-listener.ts';
import { useSearchQuery } from '../search/search-address.ts';
import { ConnectionNotice } from './connection-notice.tsx';
import { DialogOutlet } from './dialogs/dialog-outlet.tsx';
import { hasDialogAtom } from '../dialogs/open-dialog.ts';
import { isForSidebar } from './sidebar/sidebar-escape.ts';
import { MobileHeader } from './mobile-header.tsx';
import { useOpenConvo } from '../convos/open-convo.ts';
import classes from './frame.module.css';
import { Rail } from './sidebar/rail/rail.tsx';
import { Sidebar } from './sidebar/sidebar.tsx';
import { SkipLink } from './skip-link.tsx';
import { useSidebarFocus } from '../layout/use-sidebar-focus.ts';
import { heldKeyAtom } from './shortcuts/held-key.ts';
import { useShortcuts } from './use-shortcuts.ts';
import { useSidebar } from '../layout/use-sidebar.ts';
import { useLaterParts } from './lazy/use-later-parts.ts';

const search = lazyScreen(async () => (await import('../search/search-view.tsx')).SearchView, 'ahead');

/** The titles of the rooms beside the chat, by the first word of their addresses. */
const PLACES: Record<string, ParseKeys> = { assistants: 'com_nav_assistants', admin: 'com_nav_admin' };

/**
 * The authenticated frame. The main landmark shows `children`, or the search results in their place. It is a flex
 * column as high as the viewport allows.
 */
export function AppFrame({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  const later = useLaterParts(useAtomValue(heldKeyAtom) !== null);
  const sidebar = useSidebar();
  const isSearch = useSearchQuery() !== null;
  const hasDialog = useAtomValue(hasDialogAtom);
  const convo = useOpenConvo();
  const room = PLACES[useLocation()[0].split('/')[1] ?? ''];
  const place = isSearch ? t('com_nav_search') : room ? t(room) : null;
  const title = place ?? convo?.title ?? null;
  const isCovered = sidebar.isDrawer && sidebar.isOpen;
  useShortcuts(later !== null);
  useDocumentTitle(title);
  useCloseOnNavigation();
  useCloseOnEscape();
  useSidebarFocus(sidebar.isOpen);

  return (
    <>
      {/* Inert behind a dialog, so that a delayed focus call in it has no effect. */}
      <div className={classes.shell} data-nav={sidebar.isOpen ? 'open' : 'closed'} inert={hasDialog}>
        <SkipLink />
        <Sidebar isOpen={sidebar.isOpen} />
        {!sidebar.isDrawer && !sidebar.isOpen && <Rail />}
        {isCovered && (
          <button
            type="button"
            className={classes.mask}
            tabIndex={-1}
            aria-label={t('com_nav_close_sidebar')}
            onClick={sidebar.close}
          />
        )}
        {/* Inert behind the drawer, which keeps the focus in the drawer without a focus trap. */}
        <div className={classes.stage} inert={isCovered}>
          {isSearch && <MobileHeader title={t('com_nav_search')} />}
          <ConnectionNotice />
          <main id="main" className={classes.main} tabIndex={-1}>
            {isSearch ? (
              <LazyBoundary>
                <search.Screen />
              </LazyBoundary>
            ) : (
              children
            )}
          </main>
        </div>
      </div>
      <DialogOutlet />
      {later && <later.ChangeFeed />}
      {later && sidebar.isDrawer && <later.DrawerSwipe />}
      {later && <later.MoreShortcuts />}
    </>
  );
}

/** Closes the drawer after a navigation. */
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
  useEventListener('keydown', (event) => isForSidebar(event) && close(), { isOn: isDrawer && isOpen });
}
