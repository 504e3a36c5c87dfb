import { isIPv6 } from 'node:net';
import { USER_PROVIDED, isHttpUrl, isLinkTarget, isMailAddress, isSiteUrl } from '../addresses.ts';
import { evaluateArithmetic } from './arithmetic.ts';
import type { BirthdayIcon } from '../parts/birthday.ts';
import { configError } from '../config-error.ts';

// Parsers for single environment variables. A reader gets the text (undefined when the variable is absent) and its name
// for the error message; it returns undefined when no value is given, so that defaults live elsewhere.

export type EnvReader<T> = (text: string | undefined, name: string) => T;

/** Trimmed text. */
export function text(value: string | undefined): string | undefined {
  return value?.trim() || undefined;
}

/** The unchanged text, even when empty. */
export function verbatim(value: string | undefined): string | undefined {
  return value;
}

/** True only for `true`, in any case. An empty value is false, not absent: the default may be true. */
export function flag(value: string | undefined): boolean | undefined {
  return value === undefined ? undefined : value.trim().toLowerCase() === 'true';
}

/** Whether a flag has a word that was perhaps meant to turn it on. */
export function isUnclearFlag(value: string | undefined): boolean {
  return !['', 'true', 'false'].includes((value ?? '').trim().toLowerCase());
}

/** The only flag that an empty value turns on. */
export function birthdayIcon(value: string | undefined): BirthdayIcon {
  return value?.trim() === '' || flag(value) ? 'always' : 'on-the-day';
}

export function integer(min: number, max: number): EnvReader<number | undefined> {
  return function readInteger(value, name) {
    const digits = text(value);
    if (digits === undefined) return undefined;
    const number = /^\d{1,15}$/.test(digits) ? Number(digits) : NaN;
    if (number >= min && number <= max) return number;
    throw refused(name, `must be a whole number from ${min} to ${max}`, digits);
  };
}

/** A number of processes, or one for each core. */
export function processes(value: string | undefined, name: string): number | 'auto' | undefined {
  return value?.trim() === 'auto' ? 'auto' : integer(1, 64)(value, name);
}

/** A duration, window or interval; may be arithmetic. */
export function amount(min: number, max: number): EnvReader<number | undefined> {
  return function readAmount(value, name) {
    const expression = text(value);
    if (expression === undefined) return undefined;
    const number = evaluateArithmetic(expression);
    if (number !== undefined && number >= min && number <= max) return number;
    throw refused(name, `must be from ${min} to ${max}, as a number or arithmetic such as 1000 * 60 * 15`, expression);
  };
}

/** A currency, and how much of it a US dollar is: `EUR 0.92`. */
export function currency(value: string | undefined, name: string): { code: string; perDollar: number } | undefined {
  const given = text(value);
  if (given === undefined) return undefined;
  const [, code = '', rate = ''] = /^([A-Za-z]{3}) (\d{1,9}(?:\.\d{1,9})?)$/.exec(given) ?? [];
  const perDollar = Number(rate);
  if (CURRENCIES.has(code.toUpperCase()) && perDollar > 0) return { code: code.toUpperCase(), perDollar };
  throw refused(name, 'must be a currency and how much of it one US dollar is, such as EUR 0.92', given);
}

const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

export function oneWord<Word extends string>(...words: Word[]): EnvReader<Word | undefined> {
  return function readWord(value, name) {
    const given = text(value);
    const word = words.find((known) => known === given?.toLowerCase());
    if (given === undefined || word !== undefined) return word;
    throw refused(name, `must be one of ${words.join(', ')}`, given);
  };
}

/** A comma-separated list, trimmed, without empty items; undefined when none is left. */
export function list(value: string | undefined): string[] | undefined {
  const words = (value ?? '').split(',').map((word) => word.trim());
  const given = words.filter((word) => word !== '');
  return given.length > 0 ? given : undefined;
}

/** As `list`, but without duplicates and only with known words; the `ignored` ones are left out. */
export function knownWords<Word extends string>(
  words: readonly Word[],
  ignored: readonly string[] = [],
): EnvReader<Word[] | undefined> {
  return function readWords(value, name) {
    const given = list(value)?.filter((word) => !ignored.includes(word));
    return given?.reduce<Word[]>((known, item) => {
      const word = words.find((candidate) => candidate === item);
      if (!word) throw refused(name, `must be a comma list of ${words.join(', ')}`, item);
      return known.includes(word) ? known : [...known, word];
    }, []);
  };
}

// The values below may contain credentials, so their error messages do not repeat them.

export const httpUrl = shaped(isHttpUrl, 'must be an http(s) address');
export const siteUrl = shaped(isSiteUrl, 'must be an http(s) address without user, query and fragment');
export const linkTarget = shaped(isLinkTarget, 'must be an http(s) address or a path that begins with one /');
export const providerUrl = shaped(
  (value) => value === USER_PROVIDED || isHttpUrl(value),
  `must be an http(s) address or ${USER_PROVIDED}`,
);
export const urlOrOff = shaped((value) => value === 'off' || isHttpUrl(value), 'must be an http(s) address or off');
/** Placeholders may replace the host name or a path segment. */
export const azureUrl = shaped(
  (value) => isHttpUrl(value.replace(/\$\{(?:INSTANCE|DEPLOYMENT)_NAME\}/g, 'x')),
  'must be an http(s) address, in which ${INSTANCE_NAME} and ${DEPLOYMENT_NAME} may stand',
);
export const hostPart = shaped((value) => /^[a-z\d-]+$/i.test(value), 'must be letters, digits and -');
export const pathPart = shaped((value) => /^(?!\.{1,2}$)[\w.-]+$/.test(value), 'must be letters, digits and . _ -');
export const postgresUrl = shaped(
  (value) => /^postgres(?:ql)?:\/\/\S+$/.test(value),
  'must be an address that begins with postgres:// or postgresql://',
);
/** Sent in a request header. */
export const credential = shaped(
  (value) => /^[\x21-\x7e]+$/.test(value),
  'must be one word of visible ASCII characters, without spaces or line breaks',
);
/** A whole Cookie header, or only the value of the relevant cookie. */
export const cookies = shaped(
  (value) => /^[\x20-\x7e]+$/.test(value),
  'must be one line of visible ASCII characters: the value of the cookie _U, or all cookies as name=value; name=value',
);
/** Without a path: where people are is LDAP_USER_SEARCH_BASE. */
export const ldapUrl = shaped(
  (value) => /^ldaps?:\/\/(?:[\w.-]+|\[[\da-f:]+\])(?::\d{1,5})?\/?$/i.test(value) && URL.canParse(value),
  'must be an address such as ldaps://directory.example.com',
);
/** The name of an attribute; values that are no text, such as an objectGUID, tell nobody apart. */
export const ldapAttribute = shaped(
  (value) => /^[a-z][\w.;-]*$/i.test(value) && !/^object(?:guid|sid)$/i.test(value),
  'must be the name of an attribute that holds text',
);
/** A host name or IP address, without port. */
export const mailHost = shaped(
  (value) => /^[a-z\d](?:[a-z\d.-]*[a-z\d])?$/i.test(value) || isIPv6(value),
  'must be the name or the address of a host',
);
export const mailAddress = shaped(isMailAddress, 'must be one e-mail address and nothing else');
export const oneLine = shaped((value) => !/\p{Cc}/u.test(value), 'must be one line');
/** As push services take it (RFC 8292, 2.1). */
export const vapidSubject = shaped(
  (value) =>
    (value.startsWith('mailto:') && isMailAddress(value.slice('mailto:'.length))) ||
    (value.startsWith('https://') && URL.canParse(value)),
  'must be a mailto: or https: address',
);
/** 16 random characters cannot be guessed; a short word can. */
export const signingSecret = shaped((value) => value.length >= 16, 'must have at least 16 characters');

/** Comma-separated host names with optional port; a leading dot matches all subdomains. */
export function hosts(value: string | undefined, name: string): string[] | undefined {
  const given = list(value)?.map((host) => host.toLowerCase());
  const wrong = given?.find((host) => !/^(?:\.?[a-z\d-]+(?:\.[a-z\d-]+)*|\[[\da-f:]+\])(?::\d{1,5})?$/.test(host));
  if (wrong === undefined) return given;
  throw refused(name, 'must be a comma list of host names, each with or without a port', wrong);
}

/** Comma-separated host names; `*.` before one matches its subdomains, `*` alone every host. */
export function hostPatterns(value: string | undefined, name: string): string[] | undefined {
  const given = list(value)?.map((host) => host.toLowerCase());
  const wrong = given?.find((host) => !/^(?:\*|(?:\*\.)?[a-z\d-]+(?:\.[a-z\d-]+)*)$/.test(host));
  if (wrong === undefined) return given;
  throw refused(name, 'must be a comma list of host names such as example.com or *.example.com, or *', wrong);
}

/** Comma-separated `name=address`, by their names. */
export function namedUrls(value: string | undefined, name: string): Record<string, string> | undefined {
  const given = list(value)?.map((pair) => /^([\w-]{1,64})\s*=\s*(\S+)$/.exec(pair));
  if (given?.some((pair) => !pair || !isHttpUrl(pair[2] ?? '')))
    throw configError(`${name} must be a comma list of name=address, with http(s) addresses.`);
  return given && Object.fromEntries(given.map((pair) => [pair?.[1] ?? '', pair?.[2] ?? '']));
}

/** As `hex`, several separated by commas. */
export function hexes(digits: number): EnvReader<string[] | undefined> {
  const one = hex(digits);
  return function readHexes(value, name) {
    const given = list(value);
    for (const word of given ?? []) one(word, name);
    return given;
  };
}

export function hex(digits: number): EnvReader<string | undefined> {
  return shaped((value) => value.length === digits && /^[\da-f]+$/i.test(value), `must be ${digits} hex digits`);
}

function shaped(fits: (value: string) => boolean, must: string): EnvReader<string | undefined> {
  return function readShaped(value, name) {
    const given = text(value);
    if (given === undefined || fits(given)) return given;
    throw configError(`${name} ${must}.`);
  };
}

function refused(name: string, must: string, given = ''): Error {
  return configError(`${name} ${must}, but is ${JSON.stringify(given.slice(0, 80))}.`);
}
