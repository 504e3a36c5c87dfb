// The frame around every screen of a signed-in person: the list of conversations, who one is, and where the screen goes.
import { useEffect, useRef, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'wouter';
import { useDocumentTitle } from '../lib/use-document-title.ts';
import { ConnectionNotice } from './connection-notice.tsx';
import { MobileHeader } from './mobile-header.tsx';
import { useOpenTitle } from './open-convo.ts';
import classes from './shell.module.css';
import { Sidebar } from './sidebar.tsx';
import { SkipLink } from './skip-link.tsx';
import { useChanges } from './use-changes.ts';
import { useFocusHandover } from './use-focus-handover.ts';
import { useShortcuts } from './use-shortcuts.ts';
import { useSidebar } from './use-sidebar.ts';

/** The authenticated frame. `children` fills the main landmark, which is a flex column as high as the screen allows. */
export function Shell({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  const sidebar = useSidebar();
  const title = useOpenTitle();
  const isCovered = sidebar.isDrawer && sidebar.isOpen;
  useChanges();
  useShortcuts();
  useDocumentTitle(title);
  useCloseOnNavigation();
  useCloseOnEscape();
  useFocusHandover(sidebar.isOpen);

  return (
    <div className={classes.shell} data-nav={sidebar.isOpen ? 'open' : 'closed'}>
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
        <main id="main" className={classes.main}>
          {children}
        </main>
      </div>
    </div>
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
      // A dialog or a menu over the drawer has the first word.
      if (event.key === 'Escape' && !isElsewhere(event.target)) close();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [isDrawer, isOpen, close]);
}

function isElsewhere(target: EventTarget | null): boolean {
  if (target === document.body) return false;
  return !(target instanceof Element) || !target.closest('nav') || target.closest('[role=menu]') !== null;
}
