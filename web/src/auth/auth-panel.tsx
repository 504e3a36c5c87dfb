import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useDocumentTitle } from '../lib/use-document-title.ts';
import { useStartup } from '../lib/startup.ts';
import classes from './auth.module.css';

/** The card that sign-in and registration stand on. */
export function AuthPanel({ title, children }: { title: string; children: ReactNode }) {
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
        <h1 className={classes.title}>{title}</h1>
        <p className={classes.tagline}>{t('com_app_tagline')}</p>
        {children}
      </section>
    </main>
  );
}
