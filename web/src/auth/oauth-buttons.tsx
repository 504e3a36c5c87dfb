import { SIGN_IN_SITES, type SignInSite } from '@parley/schema/catalog/sign-in-sites';
import type { MouseEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { readText } from '../lib/storage.ts';
import type { Startup } from '../startup.ts';
import { buttonClasses } from '../ui/button-classes.ts';
import { LazyBoundary } from '../ui/lazy/lazy-boundary.tsx';
import classes from './auth.module.css';
import { session } from '../session/current-session.ts';
import { SIGN_OUT_PENDING } from '../session/session.ts';
import { logo } from '../ui/logos/lazy-logo.ts';

/** The OAuth providers enabled on this site, in the server's order. */
export function enabledOauthLogins(startup: Startup): SignInSite[] {
  if (!startup.socialLoginEnabled) return [];
  return startup.socialLogins.filter(isSite).filter((name) => startup[`${name}LoginEnabled`]);
}

/** Links to the providers' sign-in pages. With an invitation, anyone who has no account gets one. */
export function OauthButtons({ startup, invitation }: { startup: Startup; invitation?: string | undefined }) {
  const { t } = useTranslation();
  const logins = enabledOauthLogins(startup);
  const query = invitation === undefined ? '' : `?${new URLSearchParams({ invitation })}`;
  if (logins.length === 0) return null;
  return (
    <>
      {startup.emailLoginEnabled && <div className={classes.or}>{t('com_auth_or')}</div>}
      <div className={classes.socials}>
        {logins.map((name) => (
          <a
            key={name}
            className={buttonClasses({ size: 'lg' })}
            href={`${startup.serverDomain}/oauth/${name}${query}`}
            onClick={leave}
          >
            {name === 'openid' && startup.openidImageUrl ? (
              <img src={startup.openidImageUrl} alt="" />
            ) : (
              <LazyBoundary isQuiet>
                <logo.Screen name={name} />
              </LazyBoundary>
            )}
            {labelOf(name)}
          </a>
        ))}
      </div>
    </>
  );

  function labelOf(name: SignInSite): string {
    const label = SIGN_IN_SITES[name];
    return label === null ? startup.openidLabel : t('com_auth_site_login', { 0: label });
  }
}

function isSite(name: string): name is SignInSite {
  return Object.hasOwn(SIGN_IN_SITES, name);
}

/** A pending sign-out would end the new session: send it to the server first. */
function leave(event: MouseEvent<HTMLAnchorElement>): void {
  if (readText(SIGN_OUT_PENDING) === null || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  const { href } = event.currentTarget;
  void session.load().then(() => window.location.assign(href));
}
