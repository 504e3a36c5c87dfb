// Addresses of pages: in the one form in which they are compared, asked about and fetched, and where texts name them.

/** Longer ones are no addresses of pages. */
const LENGTH_MAX = 2048;
/**
 * In a text an address ends before one of these, or holds it: both are tried. A dot or a colon within a name ends none,
 * so that no host is taken for a shorter one. Scripts without spaces end what is written in Latin letters.
 */
const CLOSING =
  /[.,;:!?](?![\p{L}\p{N}])|["'`()[\]{}|*\\。，、；：！？）】」』]|[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}]/gu;
const ENDINGS_MAX = 32;
const SCHEME = /https?:\/\//gi;
const BARE = /(?:^|[\s("'`<[])((?:[\p{L}\d-]{1,63}\.){1,8}\p{L}{2,24}(?![\p{L}\d@-])[^\s<>]{0,2000})/gu;

/** The address without its fragment; null for what is no address of a page. */
export function pageAddress(text: string): URL | null {
  const trimmed = text.trim();
  if (trimmed.length > LENGTH_MAX || !URL.canParse(trimmed)) return null;
  const url = new URL(trimmed);
  url.hash = '';
  return /^https?:$/.test(url.protocol) && url.username + url.password === '' ? url : null;
}

/** Whether exactly this address stands in the text. `isBare` takes `example.com/page`, as people write it, for one. */
export function namesAddress(text: string, address: URL, { isBare }: { isBare: boolean }): boolean {
  for (const { index } of text.matchAll(SCHEME))
    if (beginsWith(text.slice(index, index + LENGTH_MAX).split(/[\s<>]/, 1)[0] ?? '', address)) return true;
  if (!isBare) return false;
  const { protocol } = address;
  for (const [, found = ''] of text.matchAll(BARE)) if (beginsWith(`${protocol}//${found}`, address)) return true;
  return false;
}

/** Whether the text, or what stands before one of the signs that may end an address, is the address. */
function beginsWith(text: string, { href }: URL): boolean {
  const ends = [...text.matchAll(CLOSING)].map(({ index }) => index);
  const tried = [text.length, ...ends.slice(0, ENDINGS_MAX), ...ends.slice(-ENDINGS_MAX)];
  return tried.some((end) => pageAddress(text.slice(0, end))?.href === href);
}

/** Whether the operator names this host: as it is, by `*.` and the end of its name, or by `*` alone. */
export function isListed({ hostname }: URL, hosts: readonly string[]): boolean {
  return hosts.some(
    (entry) => entry === '*' || entry === hostname || (entry.startsWith('*.') && hostname.endsWith(entry.slice(1))),
  );
}

/**
 * The end of the host's name that one owner has, as a rule: two labels, or three below a short one of a country, such as
 * `co.uk`. An address of numbers is its own site.
 */
export function siteOfAddress({ hostname }: URL): string {
  if (/^[\d.]+$|^\[/.test(hostname)) return hostname;
  const labels = hostname.replace(/\.$/, '').split('.');
  const isBelowCountry = labels.at(-1)?.length === 2 && (labels.at(-2)?.length ?? 0) <= 3;
  return labels.slice(isBelowCountry ? -3 : -2).join('.');
}
