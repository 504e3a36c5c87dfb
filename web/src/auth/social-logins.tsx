import type { ParseKeys } from 'i18next';
import type { MouseEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { readText } from '../lib/persist.ts';
import type { Startup } from '../lib/startup.ts';
import classes from './auth.module.css';
import { session } from './current.ts';
import { SIGN_OUT_PENDING } from './session.ts';

interface Provider {
  isEnabled: (startup: Startup) => boolean;
  label: ParseKeys | null;
}

const providers: Record<string, Provider> = {
  google: { isEnabled: (startup) => startup.googleLoginEnabled, label: 'com_auth_google_login' },
  facebook: { isEnabled: (startup) => startup.facebookLoginEnabled, label: 'com_auth_facebook_login' },
  github: { isEnabled: (startup) => startup.githubLoginEnabled, label: 'com_auth_github_login' },
  discord: { isEnabled: (startup) => startup.discordLoginEnabled, label: 'com_auth_discord_login' },
  // The operator names this one.
  openid: { isEnabled: (startup) => startup.openidLoginEnabled, label: null },
};

/** The ways to sign in that this site has turned on, in the order it names them. */
export function enabledLogins(startup: Startup): string[] {
  if (!startup.socialLoginEnabled) return [];
  return startup.socialLogins.filter((name) => providers[name]?.isEnabled(startup));
}

/** Links to the providers' own sign-in pages. */
export function SocialLogins({ startup }: { startup: Startup }) {
  const { t } = useTranslation();
  const logins = enabledLogins(startup);
  if (logins.length === 0) return null;
  return (
    <>
      {startup.emailLoginEnabled && <div className={classes.or}>{t('com_auth_or')}</div>}
      <div className={classes.socials}>
        {logins.map((name) => (
          <a key={name} className={classes.social} href={`${startup.serverDomain}/oauth/${name}`} onClick={leave}>
            {name === 'openid' && startup.openidImageUrl && <img src={startup.openidImageUrl} alt="" />}
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

/** A sign-out that the server has not heard of would end the session that begins: it is told first. */
function leave(event: MouseEvent<HTMLAnchorElement>): void {
  if (readText(SIGN_OUT_PENDING) === null || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  const { href } = event.currentTarget;
  void session.load().then(() => window.location.assign(href));
}
