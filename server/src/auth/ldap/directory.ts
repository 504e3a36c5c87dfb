// Asks the operator's directory who somebody is, and whether a password is theirs: find the entry, then bind as it. Each
// question has a connection of its own, which is closed at its end.
import { connect as connectPlain, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { Client, Entry } from 'ldapts';
import type { Config } from '../../config/config.ts';
import { LDAP_DN, LDAP_LOGIN } from '../../config/parts/ldap.ts';
import { groupNames } from '../oauth/claims.ts';
import { withTimeout } from '../../platform/deadline.ts';
import { refuse, Refusal } from '../../platform/errors.ts';
import type { Profile } from '../../config/parts/sign-in-sites.ts';

export type Ldap = NonNullable<Config['accounts']['ldap']>;

/** By what somebody typed, or by the id that their account is linked to. */
export type Wanted = { login: string } | { id: string };

/** The directory does not answer, or does not as it is set up. The message is safe to log. */
export class DirectoryFault extends Error {
  override name = 'DirectoryFault';
}

/** For all that one sign-in asks, in milliseconds. */
const TIMEOUT_MS = 10_000;

/** RFC 4511, appendix A.1: what a server says of an entry or its password. Other codes tell of the server. */
const REFUSALS = new Set([
  /** constraintViolation: too many tries */ 19, /** noSuchObject */ 32, /** invalidDNSyntax */ 34,
  /** inappropriateAuthentication: no password */ 48, /** invalidCredentials */ 49, /** insufficientAccessRights */ 50,
  /** unwillingToPerform: switched off */ 53,
]);
const SIZE_LIMIT_EXCEEDED = 4;
/** Active Directory says so only to anyone who has the right password: it is expired, or must be changed first. */
const EXPIRED = /\bdata (?:532|773)\b/i;

/**
 * Null for an unknown name, a wrong password, and where the name fits several entries.
 * @throws DirectoryFault; Refusal `password_expired`
 */
export async function askDirectory(
  ldap: Ldap,
  wanted: Wanted,
  password: string,
  onOdd: (what: string) => void,
  timeoutMs = TIMEOUT_MS,
): Promise<Profile | null> {
  // An empty password is no password: servers answer that such a bind, which is anonymous, succeeds (RFC 4513, 5.1.2).
  if (password === '' || password.includes('\0')) return null;
  return connected(ldap, timeoutMs, async (client) => {
    if (ldap.bind) await client.bind(ldap.bind.dn, ldap.bind.password);
    const entry = await findEntry(client, ldap, wanted, onOdd);
    // Whom nobody knows takes as long as a wrong password.
    const dn = entry?.dn ?? `cn=nobody,${ldap.base}`;
    const groups = await findGroups(client, ldap, dn, entry);
    const isTheirs = await binds(client, dn, password, entry !== null);
    return entry && isTheirs ? { ...profileOf(entry, ldap), ...(groups && { rights: { groups } }) } : null;
  });
}

/** Attributes by which directories switch an entry off; they are sent only when they are named. */
const SWITCHES = ['userAccountControl', 'accountExpires', 'nsAccountLock', 'loginDisabled', 'pwdAccountLockedTime'];

/**
 * Whether the directory would still let somebody in whose account has this id: there is an entry, it fits
 * LDAP_SEARCH_FILTER, and it is not switched off. Asked without a password.
 * @throws DirectoryFault where it cannot be asked
 */
export async function isInDirectory(ldap: Ldap, id: string, timeoutMs = TIMEOUT_MS): Promise<boolean> {
  return connected(ldap, timeoutMs, async (client) => {
    if (ldap.bind) await client.bind(ldap.bind.dn, ldap.bind.password);
    const { searchEntries } = await client.search(ldap.base, {
      scope: 'sub',
      filter: `(&${filterFor(ldap, { id })}${conditionsOf(ldap)})`,
      attributes: [...new Set([...ldap.attributes.id, ...SWITCHES])],
      timeLimit: Math.ceil(timeoutMs / 1000),
    });
    return searchEntries.some((entry) => mayBe(idOf(entry, ldap), id) && !isSwitchedOff(entry, Date.now()));
  });
}

/** The operator's filter for any name. A name that is compared in another way than by `=` has no such form. */
function conditionsOf({ filter }: Ldap): string {
  if (/[:~<>]=\*{0,8}\{\{username\}\}/.test(filter)) return '';
  return filter.replaceAll(/\*{0,8}\{\{username\}\}\*{0,8}/g, '*');
}

/** An id that is written in other capitals now, or of which there are several, ends nothing. */
function mayBe(found: string | null, id: string): boolean {
  return found === null || found.toLowerCase() === id.toLowerCase();
}

/** As Active Directory, 389 and FreeIPA, eDirectory, and OpenLDAP's password policy say it. */
function isSwitchedOff(entry: Entry, now: number): boolean {
  const first = (name: string) => textsOf(entry, name)[0] ?? '';
  const isTrue = (name: string) => first(name).toLowerCase() === 'true';
  // ADS_UF_ACCOUNTDISABLE.
  if ((Number(first('userAccountControl')) & 2) !== 0) return true;
  if (isTrue('nsAccountLock') || isTrue('loginDisabled')) return true;
  // Locked until an administrator unlocks it; another time is a lock that passes.
  if (first('pwdAccountLockedTime') === '000001010000Z') return true;
  return isPast(first('accountExpires'), now);
}

/** 100 nanoseconds since 1601; 0 and the largest number are never ([MS-ADTS], accountExpires). */
function isPast(fileTime: string, now: number): boolean {
  if (!/^[1-9]\d{0,18}$/.test(fileTime)) return false;
  return Number(BigInt(fileTime) / 10_000n) - 11_644_473_600_000 < now;
}

/** Exactly one that has an id; referrals are not followed. */
async function findEntry(
  client: Client,
  ldap: Ldap,
  wanted: Wanted,
  onOdd: (what: string) => void,
): Promise<Entry | null> {
  const { id, username, email } = ldap.attributes;
  const ofGroups = ldap.groups && 'attribute' in ldap.groups ? [ldap.groups.attribute] : [];
  const attributes = [...new Set([...id, ...username, ...email, ...ldap.names, 'displayName', 'cn', ...ofGroups])];
  const found = await client
    .search(ldap.base, { scope: 'sub', filter: filterFor(ldap, wanted), attributes, timeLimit: TIMEOUT_MS / 1000 })
    .catch((error: unknown) => {
      if (resultCode(error) !== SIZE_LIMIT_EXCEEDED) throw error;
      return null;
    });
  const [entry, ...others] = found?.searchEntries ?? [];
  if (!found || others.length > 0) {
    onOdd('LDAP_SEARCH_FILTER fits several people');
    return null;
  }
  // A bind without a name is anonymous, too.
  if (!entry || entry.dn === '') return null;
  const subject = idOf(entry, ldap);
  if (subject === null) onOdd('an entry has not one value of LDAP_ID');
  return subject === null || ('id' in wanted && subject !== wanted.id) ? null : entry;
}

function filterFor(ldap: Ldap, wanted: Wanted): string {
  if ('login' in wanted) return ldap.filter.replaceAll(LDAP_LOGIN, () => escaped(wanted.login));
  return `(|${ldap.attributes.id.map((name) => `(${name}=${escaped(wanted.id)})`).join('')})`;
}

/** The names of the groups that a person is in; null where the directory is not asked for them. */
async function findGroups(client: Client, { groups }: Ldap, dn: string, entry: Entry | null): Promise<string[] | null> {
  if (!groups) return null;
  if ('attribute' in groups)
    return groupNames(entry ? textsOf(entry, groups.attribute).map(commonName) : [], groups.only);
  const filter = groups.filter.replaceAll(LDAP_DN, () => escaped(dn));
  const found = await client.search(groups.base, {
    scope: 'sub',
    filter,
    attributes: ['cn'],
    timeLimit: TIMEOUT_MS / 1000,
  });
  return groupNames(
    found.searchEntries.map((group) => textsOf(group, 'cn')[0] ?? commonName(group.dn)),
    groups.only,
  );
}

/** Of a distinguished name its first value (RFC 4514, 2.4); what is none is a name itself. */
function commonName(dn: string): string {
  const [, value] = /^[\w.-]+=((?:\\.|[^\\,+])*)/.exec(dn) ?? [];
  if (value === undefined) return dn;
  return value.replace(/((?:\\[\da-f]{2})+)|\\(.)/gi, (_, bytes: string | undefined, sign: string | undefined) =>
    bytes === undefined ? (sign ?? '') : Buffer.from(bytes.replaceAll('\\', ''), 'hex').toString(),
  );
}

/** RFC 4515, 3. */
function escaped(value: string): string {
  return value.replace(/[\\*()\0]/g, (sign) => `\\${sign.charCodeAt(0).toString(16).padStart(2, '0')}`);
}

async function binds(client: Client, dn: string, password: string, isSomebody: boolean): Promise<boolean> {
  try {
    await client.bind(dn, password);
    return true;
  } catch (error) {
    if (!REFUSALS.has(resultCode(error) ?? 0)) throw error;
    if (isSomebody && error instanceof Error && EXPIRED.test(error.message)) refuse({ type: 'password_expired' });
    return false;
  }
}

function profileOf(entry: Entry, ldap: Ldap): Profile {
  const first = (names: readonly string[]) => names.flatMap((name) => textsOf(entry, name))[0] ?? null;
  const name = ldap.names.flatMap((attribute) => textsOf(entry, attribute)[0] ?? []).join(' ');
  return {
    subject: idOf(entry, ldap) ?? '',
    email: first(ldap.attributes.email),
    // People may change it in many directories.
    emailVerified: false,
    name: name || first(['displayName', 'cn']),
    username: first(ldap.attributes.username),
    imageURL: null,
  };
}

/** Of the first attribute that has one value: with several it is not known which one stays. */
function idOf(entry: Entry, ldap: Ldap): string | null {
  const values = ldap.attributes.id.map((name) => textsOf(entry, name)).find((texts) => texts.length === 1);
  return values?.[0] ?? null;
}

/** Without what is no text. */
function textsOf(entry: Entry, attribute: string): string[] {
  const wanted = attribute.toLowerCase() === 'surname' ? 'sn' : attribute.toLowerCase();
  const values = Object.entries(entry).find(([name]) => name.toLowerCase() === wanted)?.[1] ?? [];
  return [values]
    .flat()
    .filter((value) => typeof value === 'string')
    .filter((value) => value !== '' && !value.includes('\ufffd'));
}

/** @throws DirectoryFault, and what `ask` refuses */
async function connected<Answer>(
  ldap: Ldap,
  timeoutMs: number,
  ask: (client: Client) => Promise<Answer>,
): Promise<Answer> {
  const ldapts = await import('ldapts');
  const host = new URL(ldap.url).hostname.replace(/^\[|\]$/g, '');
  const ofTls = { ca: ldap.ca, rejectUnauthorized: ldap.checksCertificate };
  const sockets: Socket[] = [];
  // The client would connect again by itself, unencrypted after STARTTLS.
  const once = <Connect extends typeof connectPlain | typeof connectTls>(connect: Connect) => {
    let isUsed = false;
    return ((...given: Parameters<typeof connectPlain>) => {
      if (isUsed) throw new DirectoryFault('the connection was closed');
      isUsed = true;
      const socket = (connect as typeof connectPlain)(...given);
      sockets.push(socket);
      return socket;
    }) as Connect;
  };
  const client = new ldapts.Client({
    url: ldap.url,
    timeout: timeoutMs,
    connectTimeout: timeoutMs,
    createConnection: once(connectPlain),
    createSecureConnection: once(connectTls),
    ...(ldap.url.startsWith('ldaps:') && { tlsOptions: ofTls }),
  });
  const work = async () => {
    if (ldap.startTls) await client.startTLS({ ...ofTls, host, ...(isIP(host) === 0 && { servername: host }) });
    return ask(client);
  };
  try {
    return await withTimeout(work(), timeoutMs, (): never => {
      throw new DirectoryFault('no answer in time');
    });
  } catch (error) {
    throw error instanceof Refusal || error instanceof DirectoryFault ? error : new DirectoryFault(causeOf(error));
  } finally {
    for (const socket of sockets) socket.on('error', () => undefined).destroy();
  }
}

function resultCode(error: unknown): number | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'number' ? error.code : undefined;
}

/** What the operator can mend, without what somebody typed. */
function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  if ('code' in error && typeof error.code === 'number') return `result code ${error.code}`;
  if ('code' in error && typeof error.code === 'string') return error.code;
  return /filter/i.test(error.message) ? 'LDAP_SEARCH_FILTER cannot be read' : (error.message.split('\n')[0] ?? '');
}
