import { useState } from 'react';
import { LazyBoundary } from '../../ui/lazy/lazy-boundary.tsx';
import { lazyScreen } from '../../ui/lazy/lazy-screen.tsx';
import { UserButton } from './user-button.tsx';
import classes from './user-menu.module.css';

const menu = lazyScreen(async () => (await import('./user-menu-rows.tsx')).OpenUserMenu, 'ahead');

/** The user button with its menu. The menu's code preloads on hover and focus. */
export function UserMenu() {
  const [isWanted, setWanted] = useState(false);
  return (
    <div className={classes.footer} onPointerEnter={menu.preload} onFocus={menu.preload}>
      {isWanted ? (
        <LazyBoundary fallback={<UserButton aria-expanded />} onFailure={() => setWanted(false)}>
          <menu.Screen />
        </LazyBoundary>
      ) : (
        <UserButton onClick={() => setWanted(true)} aria-expanded={false} />
      )}
    </div>
  );
}
