import { IconArrowLeft } from '@tabler/icons-react';
import type { ParseKeys } from 'i18next';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import iconClasses from '../../ui/icon-button.module.css';
import { DrawerNewChat, SidebarControls } from '../sidebar-controls.tsx';
import classes from './page.module.css';

interface PageProps {
  title: string;
  /** Stands before the title. */
  icon?: ReactNode;
  /** The page above it. */
  back?: { href: string; label: ParseKeys };
  /** At the end of the title. */
  actions?: ReactNode;
  /** Tables need more room than sentences. */
  isWide?: boolean;
  /** Stands beside the column where there is room. */
  aside?: ReactNode;
  children: ReactNode;
}

/** A page beside the sidebar, with a column that scrolls. */
export function Page({ title, icon, back, actions, isWide, aside, children }: PageProps) {
  const { t } = useTranslation();
  return (
    <div className={classes.page}>
      <header className={classes.header}>
        <SidebarControls />
        {back && (
          <Link
            className={`${iconClasses.button} ${classes.back}`}
            href={back.href}
            aria-label={t(back.label)}
            data-tooltip={t(back.label)}
          >
            <IconArrowLeft aria-hidden />
          </Link>
        )}
        <div className={classes.atEnd}>
          <DrawerNewChat />
        </div>
      </header>
      <div className={classes.scroller}>
        <div className={classes.column} data-wide={isWide || aside ? true : undefined}>
          <div className={classes.top}>
            <h1 className={classes.title}>
              {icon}
              <bdi>{title}</bdi>
            </h1>
            {actions}
          </div>
          {aside ? (
            <div className={classes.beside}>
              {children}
              <div className={classes.aside}>{aside}</div>
            </div>
          ) : (
            children
          )}
        </div>
      </div>
    </div>
  );
}
