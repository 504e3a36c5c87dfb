import { VERSION, type ExternalLink, type StartupConfig } from '@parley/schema/catalog/startup';
import type { AccountsConfig } from './accounts.ts';
import type { Env } from '../env/env.ts';
import type { MailConfig } from './mail.ts';
import type { ServerConfig } from './server.ts';
import type { OAuthProviderName } from './oauth.ts';
import type { Yaml } from '../yaml/yaml-schema.ts';

/** The public settings, under their wire names; only the birthday icon depends on the day. */
export type StartupFacts = Omit<StartupConfig, 'showBirthdayIcon'>;

type Interface = NonNullable<Yaml['interface']>;

const BUTTON_ORDER: OAuthProviderName[] = ['google', 'facebook', 'openid', 'github', 'discord'];

export function startupFacts(
  env: Env,
  yaml: Yaml,
  server: ServerConfig,
  accounts: AccountsConfig,
  mail: MailConfig,
): StartupFacts {
  return {
    appTitle: env.APP_TITLE ?? 'Parley',
    version: VERSION,
    socialLogins: yaml.registration?.socialLogins ?? BUTTON_ORDER,
    discordLoginEnabled: accounts.social.discord.enabled,
    facebookLoginEnabled: accounts.social.facebook.enabled,
    githubLoginEnabled: accounts.social.github.enabled,
    googleLoginEnabled: accounts.social.google.enabled,
    openidLoginEnabled: accounts.social.openid.enabled,
    openidLabel: env.OPENID_BUTTON_LABEL ?? 'Continue with OpenID',
    openidImageUrl: env.OPENID_IMAGE_URL,
    serverDomain: server.domainServer,
    emailLoginEnabled: env.ALLOW_EMAIL_LOGIN ?? true,
    registrationEnabled: env.ALLOW_REGISTRATION ?? true,
    socialLoginEnabled: env.ALLOW_SOCIAL_LOGIN ?? false,
    emailEnabled: mail.enabled,
    checkBalance: env.CHECK_BALANCE ?? false,
    helpAndFaqURL: env.HELP_AND_FAQ_URL ?? '/',
    ...(yaml.interface && { interface: linksOf(yaml.interface) }),
    ...(env.CUSTOM_FOOTER !== undefined && { customFooter: env.CUSTOM_FOOTER }),
  };
}

function linksOf({ privacyPolicy, termsOfService }: Interface): NonNullable<StartupFacts['interface']> {
  return {
    ...(privacyPolicy && { privacyPolicy: linkOf(privacyPolicy) }),
    ...(termsOfService && { termsOfService: linkOf(termsOfService) }),
  };
}

function linkOf({ externalUrl, openNewTab }: NonNullable<Interface['privacyPolicy']>): ExternalLink {
  return { ...(externalUrl !== undefined && { externalUrl }), ...(openNewTab !== undefined && { openNewTab }) };
}
