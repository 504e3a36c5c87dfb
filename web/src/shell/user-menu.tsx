import { lazy, Suspense, useState } from 'react';
import { UserButton } from './user-button.tsx';
import classes from './user-menu.module.css';

const loadMenu = () => import('./user-menu-rows.tsx');
const OpenUserMenu = lazy(async () => ({ default: (await loadMenu()).OpenUserMenu }));

/** Who is signed in, and what belongs to the person. The menu itself is fetched when a hand comes near. */
export function UserMenu() {
  const [isWanted, setWanted] = useState(false);
  const preload = () => void loadMenu();
  return (
    <div className={classes.place} onPointerEnter={preload} onFocus={preload}>
      {isWanted ? (
        <Suspense fallback={<UserButton aria-expanded />}>
          <OpenUserMenu />
        </Suspense>
      ) : (
        <UserButton onClick={() => setWanted(true)} aria-expanded={false} />
      )}
    </div>
  );
}
