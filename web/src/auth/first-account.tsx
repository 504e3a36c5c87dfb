import type { TFunction } from 'i18next';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import type { Startup } from '../startup.ts';
import { buttonClasses } from '../ui/button-classes.ts';
import { AuthPanel } from './auth-panel.tsx';
import classes from './auth.module.css';

/** The heading where nobody has an account on the server. */
export function firstAccountWords(t: TFunction): { title: string; hint: string } {
  return { title: t('com_auth_first_account'), hint: t('com_auth_first_account_hint') };
}

/** The card around the sign-in. Nobody can sign in before there is an account, so the way to the first one comes first. */
export function SignInPanel({ startup, children }: { startup: Startup; children: ReactNode }) {
  const { t } = useTranslation();
  if (!startup.awaitsFirstPerson) return <AuthPanel title={t('com_auth_welcome_back')}>{children}</AuthPanel>;
  return (
    <AuthPanel {...firstAccountWords(t)}>
      <Link className={buttonClasses({ variant: 'filled', size: 'lg' }, classes.next)} href="/register">
        {t('com_auth_sign_up')}
      </Link>
      <div className={classes.or}>{t('com_auth_or')}</div>
      {children}
    </AuthPanel>
  );
}
