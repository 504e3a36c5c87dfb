import { useState } from 'react';
import { LazyBoundary } from '../../ui/lazy/lazy-boundary.tsx';
import { UserButton } from './user-button.tsx';
import classes from './user-menu.module.css';
import { userMenu } from '../lazy/lazy-menus.ts';

/** The user button with its menu. The menu's code preloads on hover and focus. */
export function UserMenu() {
  const [isWanted, setWanted] = useState(false);
  return (
    <div className={classes.footer} onPointerEnter={userMenu.preload} onFocus={userMenu.preload}>
      {isWanted ? (
        <LazyBoundary fallback={<UserButton aria-expanded />} onFailure={() => setWanted(false)}>
          <userMenu.Screen />
        </LazyBoundary>
      ) : (
        <UserButton onClick={() => setWanted(true)} aria-expanded={false} />
      )}
    </div>
  );
}
