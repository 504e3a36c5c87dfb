import { SIGN_IN_SITE_NAMES, type SignInSite } from '@parley/schema/catalog/sign-in-sites';
import { VERSION, type ExternalLink, type StartupConfig } from '@parley/schema/catalog/startup';
import { recordBy } from '@parley/schema/entries';
import type { Env } from '../env/env.ts';
import type { MailConfig } from './mail.ts';
import type { ServerConfig } from './server.ts';
import type { Yaml } from '../yaml/yaml-schema.ts';

/** The public settings, under their wire names; only the birthday icon depends on the day. */
export type StartupFacts = Omit<StartupConfig, 'showBirthdayIcon'>;

export type BirthdayIcon = Env['SHOW_BIRTHDAY_ICON'];

type Interface = NonNullable<Yaml['interface']>;

export function startupFacts(
  env: Env,
  yaml: Yaml,
  server: ServerConfig,
  sites: readonly { name: SignInSite }[],
  mail: MailConfig,
): StartupFacts {
  return {
    appTitle: env.APP_TITLE ?? 'Parley',
    version: VERSION,
    socialLogins: yaml.registration?.socialLogins ?? SIGN_IN_SITE_NAMES,
    ...enabledLogins(sites),
    openidLabel: env.OPENID_BUTTON_LABEL ?? 'Continue with OpenID',
    openidImageUrl: env.OPENID_IMAGE_URL,
    serverDomain: server.domainServer,
    emailLoginEnabled: env.ALLOW_EMAIL_LOGIN ?? true,
    registrationEnabled: !env.LDAP_URL && (env.ALLOW_REGISTRATION ?? true),
    socialLoginEnabled: env.ALLOW_SOCIAL_LOGIN ?? false,
    ...(env.LDAP_URL && { ldap: { enabled: true, ...(env.LDAP_LOGIN_USES_USERNAME && { username: true }) } }),
    emailEnabled: mail.enabled,
    checkBalance: env.CHECK_BALANCE ?? yaml.balance?.enabled ?? false,
    ...(env.ARTIFACTS && env.ARTIFACTS !== 'on' && { artifacts: env.ARTIFACTS }),
    ...(env.CURRENCY && { currency: env.CURRENCY }),
    helpAndFaqURL: env.HELP_AND_FAQ_URL ?? '/',
    ...(yaml.interface && { interface: linksOf(yaml.interface) }),
    ...(env.CUSTOM_FOOTER !== undefined && { customFooter: env.CUSTOM_FOOTER }),
  };
}

function enabledLogins(sites: readonly { name: SignInSite }[]) {
  const flags = SIGN_IN_SITE_NAMES.map((name) => `${name}LoginEnabled` as const);
  return recordBy(flags, (flag) => sites.some(({ name }) => flag === `${name}LoginEnabled`));
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
