import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { useDocumentTitle } from '../ui/hooks/use-document-title.ts';
import { Brand } from '../ui/brand/brand.tsx';
import classes from './auth.module.css';

interface AuthPanelProps {
  title: string;
  /** The heading of the screen, instead of the site's name. */
  hint?: string | undefined;
  /** Replaces a form that was sent, and takes the focus that the form had. */
  isOutcome?: boolean | undefined;
  children: ReactNode;
}

/** The card around every auth screen. */
export function AuthPanel({ title, hint, isOutcome, children }: AuthPanelProps) {
  const { t } = useTranslation();
  useDocumentTitle(title);
  return (
    <main className={classes.page}>
      <section className={classes.panel}>
        <Brand />
        <h1 className={classes.title} tabIndex={-1} ref={isOutcome ? focus : null}>
          {title}
        </h1>
        <p className={classes.tagline}>{hint ?? t('com_ui_tagline')}</p>
        {children}
      </section>
    </main>
  );
}

function focus(heading: HTMLElement | null): void {
  heading?.focus();
}

/** In the place of a form that was sent. */
export function Outcome({ title, hint, children }: Pick<AuthPanelProps, 'title' | 'hint'> & { children?: ReactNode }) {
  return (
    <AuthPanel title={title} hint={hint} isOutcome>
      {children}
      <BackToLogin />
    </AuthPanel>
  );
}

/** The way out of a screen that has no other. */
export function BackToLogin() {
  const { t } = useTranslation();
  return (
    <p className={classes.switch}>
      <Link href="/login">{t('com_auth_back_to_login')}</Link>
    </p>
  );
}
