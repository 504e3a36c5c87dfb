import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useDocumentTitle } from '../lib/use-document-title.ts';
import { useStartup } from '../lib/startup.ts';
import classes from './auth.module.css';

interface AuthPanelProps {
  title: string;
  /** What the screen is about, in the place of what the site is about. */
  hint?: string;
  /** Stands in the place of a form that was sent: it has the focus that the form took along. */
  isOutcome?: boolean | undefined;
  children: ReactNode;
}

/** The card that the screens of the accounts stand on. */
export function AuthPanel({ title, hint, isOutcome, children }: AuthPanelProps) {
  const { t } = useTranslation();
  const appTitle = useStartup()?.appTitle ?? 'Parley';
  useDocumentTitle(title);
  return (
    <main className={classes.page}>
      <section className={classes.panel}>
        <div className={classes.brand}>
          <span className={classes.mark} aria-hidden>
            P
          </span>
          {appTitle}
        </div>
        <h1 className={classes.title} tabIndex={-1} ref={isOutcome ? focus : null}>
          {title}
        </h1>
        <p className={classes.tagline}>{hint ?? t('com_app_tagline')}</p>
        {children}
      </section>
    </main>
  );
}

function focus(heading: HTMLElement | null): void {
  heading?.focus();
}
