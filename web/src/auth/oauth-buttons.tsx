import type { ParseKeys } from 'i18next';
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

interface Provider {
  isEnabled: (startup: Startup) => boolean;
  label: ParseKeys | null;
}

const providers: Record<string, Provider> = {
  google: { isEnabled: (startup) => startup.googleLoginEnabled, label: 'com_auth_google_login' },
  facebook: { isEnabled: (startup) => startup.facebookLoginEnabled, label: 'com_auth_facebook_login' },
  github: { isEnabled: (startup) => startup.githubLoginEnabled, label: 'com_auth_github_login' },
  discord: { isEnabled: (startup) => startup.discordLoginEnabled, label: 'com_auth_discord_login' },
  // The operator sets this label.
  openid: { isEnabled: (startup) => startup.openidLoginEnabled, label: null },
};

/** The OAuth providers enabled on this site, in the server's order. */
export function enabledOauthLogins(startup: Startup): string[] {
  if (!startup.socialLoginEnabled) return [];
  return startup.socialLogins.filter((name) => providers[name]?.isEnabled(startup));
}

/** Links to the providers' sign-in pages. */
export function OauthButtons({ startup }: { startup: Startup }) {
  const { t } = useTranslation();
  const logins = enabledOauthLogins(startup);
  if (logins.length === 0) return null;
  return (
    <>
      {startup.emailLoginEnabled && <div className={classes.or}>{t('com_auth_or')}</div>}
      <div className={classes.socials}>
        {logins.map((name) => (
          <a
            key={name}
            className={buttonClasses({ size: 'lg' })}
            href={`${startup.serverDomain}/oauth/${name}`}
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

  function labelOf(name: string): string {
    const label = providers[name]?.label;
    return label ? t(label) : startup.openidLabel;
  }
}

/** A pending sign-out would end the new session: send it to the server first. */
function leave(event: MouseEvent<HTMLAnchorElement>): void {
  if (readText(SIGN_OUT_PENDING) === null || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  const { href } = event.currentTarget;
  void session.load().then(() => window.location.assign(href));
}
