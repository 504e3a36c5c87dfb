import { useState } from 'react';
import { LazyBoundary } from '../../ui/lazy/lazy-boundary.tsx';
import { UserButton } from './user-button.tsx';
import classes from './user-menu.module.css';
import { userMenu } from '../lazy/lazy-menus.ts';

/** The user button with its menu, whose code preloads on hover and focus. In the rail it is the image alone. */
export function UserMenu({ isSmall = false }: { isSmall?: boolean }) {
  const [isWanted, setWanted] = useState(false);
  return (
    <div
      className={classes.footer}
      data-small={isSmall || undefined}
      onPointerEnter={userMenu.preload}
      onFocus={userMenu.preload}
    >
      {isWanted ? (
        <LazyBoundary fallback={<UserButton isSmall={isSmall} aria-expanded />} onFailure={() => setWanted(false)}>
          <userMenu.Screen isSmall={isSmall} />
        </LazyBoundary>
      ) : (
        <UserButton isSmall={isSmall} onClick={() => setWanted(true)} aria-expanded={false} />
      )}
    </div>
  );
}
