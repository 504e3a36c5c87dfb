// Sign-in by the accounts of a directory (LDAP, Active Directory), under the names that other products give the settings.
import { readFileSync } from 'node:fs';
import { configError } from '../config-error.ts';
import type { Env } from '../env/env.ts';

export interface LdapConfig {
  url: string;
  /** Encrypt the connection before anything is said. */
  startTls: boolean;
  /** As whom people are searched for; null for anonymously. */
  bind: { dn: string; password: string } | null;
  base: string;
  /** With `{{username}}` in the place of what somebody types. */
  filter: string;
  /** The attributes that say who somebody is, the first that is there. */
  attributes: Record<'id' | 'username' | 'email', readonly string[]>;
  /** Those of the name, all of them in this order. */
  names: readonly string[];
  /** The only certificates that may sign the server's; undefined for those that are known by themselves. */
  ca: string | undefined;
  checksCertificate: boolean;
  /** People sign in by user names, not addresses. */
  usesUsernames: boolean;
  /** Where it says in which groups a person is; null: nowhere. */
  groups: LdapGroups | null;
}

/** In an attribute of the person, or in entries that name the person (`{{dn}}` in their filter). */
export type LdapGroups = ({ attribute: string } | { base: string; filter: string }) & {
  /** Only these count; those that end in `*` by their beginning. */
  only: readonly string[] | undefined;
};

export const LDAP_LOGIN = '{{username}}';
export const LDAP_DN = '{{dn}}';

/** Null without a directory. @throws ConfigError for settings that cannot work or are unsafe */
export function ldapConfig(env: Env): LdapConfig | null {
  const { LDAP_URL: url, LDAP_USER_SEARCH_BASE: base, LDAP_SEARCH_FILTER: filter = `mail=${LDAP_LOGIN}` } = env;
  if (!url) return null;
  if (!base) throw configError('LDAP_URL needs LDAP_USER_SEARCH_BASE, below which people are.');
  if (!filter.includes(LDAP_LOGIN)) throw configError(`LDAP_SEARCH_FILTER must hold ${LDAP_LOGIN}.`);
  if (countOf(filter, '(') !== countOf(filter, ')')) throw configError('LDAP_SEARCH_FILTER must have as many ( as ).');
  const startTls = env.LDAP_STARTTLS ?? false;
  if (startTls && url.startsWith('ldaps:')) throw configError('LDAP_STARTTLS is for an LDAP_URL with ldap://.');
  return {
    url,
    startTls,
    bind: bindOf(env),
    base,
    filter: filter.startsWith('(') ? filter : `(${filter})`,
    attributes: {
      id: env.LDAP_ID ? [env.LDAP_ID] : ['uid', 'sAMAccountName', 'mail'],
      username: env.LDAP_USERNAME ? [env.LDAP_USERNAME] : ['uid', 'sAMAccountName', 'givenName'],
      email: [env.LDAP_EMAIL ?? 'mail'],
    },
    names: env.LDAP_FULL_NAME ?? ['givenName', 'sn'],
    ca: certificates(env.LDAP_CA_CERT_PATH),
    checksCertificate: env.LDAP_TLS_REJECT_UNAUTHORIZED ?? true,
    usesUsernames: env.LDAP_LOGIN_USES_USERNAME ?? false,
    groups: groupsOf(env),
  };
}

/** What everybody who listens on the way can read, or whom nobody checks. */
export function ldapWarnings({ LDAP_URL: url, LDAP_STARTTLS: startTls, ...env }: Env): string[] {
  if (!url) return [];
  const isClear = url.startsWith('ldap:') && !startTls && !isHere(new URL(url).hostname);
  const isUnchecked = env.LDAP_TLS_REJECT_UNAUTHORIZED === false && !isClear;
  return [
    ...(isClear
      ? ['LDAP_URL sends passwords unencrypted: an address with ldaps://, or LDAP_STARTTLS=true, encrypts them.']
      : []),
    ...(isUnchecked
      ? [
          'LDAP_TLS_REJECT_UNAUTHORIZED=false lets anybody pose as the directory; LDAP_CA_CERT_PATH names its certificate.',
        ]
      : []),
  ];
}

function groupsOf(env: Env): LdapConfig['groups'] {
  const { LDAP_GROUPS_ATTRIBUTE: attribute, LDAP_GROUP_SEARCH_BASE: base, LDAP_GROUPS: only } = env;
  const { LDAP_GROUP_SEARCH_FILTER: filter = `member=${LDAP_DN}` } = env;
  if (attribute && base) throw configError('LDAP_GROUPS_ATTRIBUTE and LDAP_GROUP_SEARCH_BASE are two ways: set one.');
  if (attribute) return { attribute, only };
  if (!base && (only || env.LDAP_GROUP_SEARCH_FILTER))
    throw configError('LDAP_GROUPS needs LDAP_GROUPS_ATTRIBUTE or LDAP_GROUP_SEARCH_BASE, where groups are.');
  if (!base) return null;
  if (!filter.includes(LDAP_DN)) throw configError(`LDAP_GROUP_SEARCH_FILTER must hold ${LDAP_DN}.`);
  return { base, filter: filter.startsWith('(') ? filter : `(${filter})`, only };
}

/** A name without a password would be nobody's: servers take it for an anonymous bind. */
function bindOf({ LDAP_BIND_DN: dn, LDAP_BIND_CREDENTIALS: password }: Env): LdapConfig['bind'] {
  if (!dn && !password) return null;
  if (dn && password) return { dn, password };
  throw configError('LDAP_BIND_DN and LDAP_BIND_CREDENTIALS belong together.');
}

function certificates(path: string | undefined): string | undefined {
  if (path === undefined) return undefined;
  try {
    return readFileSync(path, 'utf8');
  } catch {
    throw configError(`LDAP_CA_CERT_PATH must be a file that can be read: ${path}.`);
  }
}

function countOf(text: string, sign: string): number {
  return text.split(sign).length - 1;
}

function isHere(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || host.startsWith('127.');
}
