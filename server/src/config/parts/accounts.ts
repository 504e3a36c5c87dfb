import { statSync } from 'node:fs';
import type { RetentionRules } from '@parley/schema/convos/retention';
import { configError } from '../config-error.ts';
import type { Env } from '../env/env.ts';
import type { Yaml } from '../yaml/yaml-schema.ts';
import { ldapConfig, type LdapConfig } from './ldap.ts';

/** Settings of accounts and sessions, except the public ones in `startup`. */
export type AccountsConfig = {
  /** Lifetime of an access token. */
  sessionExpiryMs: number;
  /** Idle lifetime of a session. */
  refreshExpiryMs: number;
  /** Who may register, where the environment says so; null where administrators decide. */
  registration: 'open' | 'closed' | null;
  /** The directory whose people sign in, which then makes their accounts and keeps their passwords. */
  ldap: LdapConfig | null;
  /** Lower case; when empty, administrators decide. */
  allowedDomains: string[];
  socialRegistration: boolean;
  /** Where files of passwords from breaches are; undefined without them. */
  breachedPasswordsDir: string | undefined;
  /** Return the password reset link in the response instead of mailing it. */
  allowResetLink: boolean;
  /** People may ask for a new password; an operator's link works in any case. */
  allowPasswordReset: boolean;
  /** People may delete their own accounts. */
  allowDeletion: boolean;
  /** How long things stay, where the environment says so; undefined where administrators decide. */
  retention: Partial<RetentionRules>;
  /** People may make keys by which programs call this server, and those that they have made work. */
  allowApiKeys: boolean;
  /** Whether who registers by a password has to follow a link in a mail first; where mail is set up. */
  confirmsAddresses: boolean;
  /** Whether a sign-in by another site asks for the factor of an account that has one. */
  factorAfterOauth: boolean;
  /** Who has to have a second factor; null: nobody. */
  requireSecondFactor: 'admins' | 'all' | null;
  /** People may make links that show a conversation to everybody. */
  allowSharedLinks: boolean;
  /** Whether an assistant may be shared with everybody of the installation. */
  allowSharedAssistants: boolean;
  /** Who is not signed in may read them, too. */
  publicSharedLinks: boolean;
  /** Whether a project may be shared with everybody of the installation. */
  publicSharedProjects: boolean;
};

const MINUTE_MS = 60 * 1000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** @throws ConfigError when the folder of breached passwords is none, or for a directory that cannot work */
export function accountsConfig(env: Env, yaml: Yaml): AccountsConfig {
  const ldap = ldapConfig(env);
  return {
    sessionExpiryMs: env.SESSION_EXPIRY ?? 15 * MINUTE_MS,
    refreshExpiryMs: env.REFRESH_TOKEN_EXPIRY ?? 7 * DAY_MS,
    registration: ldap ? 'closed' : registrationOf(env),
    ldap,
    allowedDomains: (yaml.registration?.allowedDomains ?? []).map((domain) => domain.toLowerCase()),
    socialRegistration: env.ALLOW_SOCIAL_REGISTRATION ?? false,
    breachedPasswordsDir: folderOf(env.BREACHED_PASSWORDS_DIR),
    allowResetLink: env.ALLOW_RESET_LINK ?? false,
    allowPasswordReset: !ldap && (env.ALLOW_PASSWORD_RESET ?? true),
    allowDeletion: env.ALLOW_ACCOUNT_DELETION ?? true,
    retention: {
      ...(env.RETENTION_CHATS_DAYS !== undefined && { chatsDays: env.RETENTION_CHATS_DAYS || null }),
      ...(env.RETENTION_FILES_DAYS !== undefined && { filesDays: env.RETENTION_FILES_DAYS || null }),
      ...(env.RETENTION_AUDIT_DAYS !== undefined && { auditDays: env.RETENTION_AUDIT_DAYS || null }),
    },
    allowApiKeys: env.API_KEYS !== 'off',
    confirmsAddresses: env.ALLOW_UNVERIFIED_EMAIL_LOGIN === false,
    factorAfterOauth: env.FACTOR_AFTER_OAUTH ?? false,
    requireSecondFactor: env.REQUIRE_SECOND_FACTOR ?? null,
    allowSharedLinks: env.ALLOW_SHARED_LINKS ?? permits(yaml.interface?.sharedLinks, 'create'),
    allowSharedAssistants: env.ALLOW_SHARED_ASSISTANTS ?? permits(yaml.interface?.agents, 'share'),
    publicSharedLinks: env.ALLOW_SHARED_LINKS_PUBLIC ?? permits(yaml.interface?.sharedLinks, 'public'),
    publicSharedProjects: env.ALLOW_SHARED_PROJECTS_PUBLIC ?? true,
  };
}

type Permission<What extends string> = { [one in What | 'use']?: boolean | undefined };

/** What the file says nothing about is permitted. */
function permits<What extends string>(given: boolean | Permission<What> | undefined, what: What): boolean {
  return typeof given === 'object' ? (given[what] ?? given.use ?? true) : (given ?? true);
}

function registrationOf({ ALLOW_REGISTRATION: isOpen }: Env): AccountsConfig['registration'] {
  return isOpen === undefined ? null : isOpen ? 'open' : 'closed';
}

function folderOf(path: string | undefined): string | undefined {
  if (path === undefined || statSync(path, { throwIfNoEntry: false })?.isDirectory()) return path;
  throw configError(`BREACHED_PASSWORDS_DIR must be a folder: ${path}.`);
}
