import { useState } from 'react';
import { Arriving } from '../lib/arriving.tsx';
import { lazyScreen } from '../lib/lazy-screen.tsx';
import { UserButton } from './user-button.tsx';
import classes from './user-menu.module.css';

const menu = lazyScreen(async () => (await import('./user-menu-rows.tsx')).OpenUserMenu, 'ahead');

/** Who is signed in, and what belongs to the person. The menu itself is fetched when a hand comes near. */
export function UserMenu() {
  const [isWanted, setWanted] = useState(false);
  return (
    <div className={classes.place} onPointerEnter={menu.preload} onFocus={menu.preload}>
      {isWanted ? (
        <Arriving fallback={<UserButton aria-expanded />} onFailure={() => setWanted(false)}>
          <menu.Screen />
        </Arriving>
      ) : (
        <UserButton onClick={() => setWanted(true)} aria-expanded={false} />
      )}
    </div>
  );
}
