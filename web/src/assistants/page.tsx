import { IconArrowLeft } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { DrawerNewChat, SidebarControls } from '../layout/sidebar-controls.tsx';
import iconClasses from '../ui/icon-button.module.css';
import { ASSISTANTS_PATH } from './assistant-paths.ts';
import classes from './page.module.css';

interface PageProps {
  title: string;
  /** Whether it is below the list of all assistants. */
  isBelowList?: boolean;
  /** At the end of the title. */
  actions?: ReactNode;
  /** Stands beside the column where there is room. */
  aside?: ReactNode;
  children: ReactNode;
}

/** A page beside the sidebar, with a column that scrolls. */
export function Page({ title, isBelowList = false, actions, aside, children }: PageProps) {
  const { t } = useTranslation();
  return (
    <div className={classes.page}>
      <header className={classes.header}>
        <SidebarControls />
        {isBelowList && (
          <Link
            className={`${iconClasses.button} ${classes.back}`}
            href={ASSISTANTS_PATH}
            aria-label={t('com_assistants_all')}
            data-tooltip={t('com_assistants_all')}
          >
            <IconArrowLeft aria-hidden />
          </Link>
        )}
        <div className={classes.atEnd}>
          <DrawerNewChat />
        </div>
      </header>
      <div className={classes.scroller}>
        <div className={classes.column} data-wide={aside ? true : undefined}>
          <div className={classes.top}>
            <h1 className={classes.title} dir="auto">
              {title}
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
