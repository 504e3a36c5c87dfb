import classes from './mobile-header.module.css';
import { DrawerNewChat, SidebarControls } from '../layout/sidebar-controls.tsx';

/** The header of a screen without its own where the sidebar is a drawer. */
export function MobileHeader({ title }: { title: string }) {
  return (
    <header className={classes.header}>
      <SidebarControls />
      <span className={classes.title} dir="auto">
        {title}
      </span>
      <DrawerNewChat />
    </header>
  );
}
