/** The word an operator writes where each user brings their own key or address. */
export const USER_PROVIDED = 'user_provided';

export function isHttpUrl(text: string): boolean {
  return URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol);
}

/** What a link of the interface may point at: a web page, or a path of this site. Never `javascript:` or `//host`. */
export function isLinkTarget(text: string): boolean {
  return isHttpUrl(text) || /^\/(?![/\\])/.test(text);
}

/** The site's own address carries no credentials, query or fragment, since paths are added to its end. */
export function isSiteUrl(text: string): boolean {
  if (!isHttpUrl(text)) return false;
  const { username, password, search, hash } = new URL(text);
  return username + password + search + hash === '';
}

/** One address as it stands in a letter's head: nothing in it could be read as a second one, a name or another line. */
export function isMailAddress(text: string): boolean {
  return /^[^\s\p{Cc}@<>()[\]\\,;:"]+@[^\s\p{Cc}@<>()[\]\\,;:"]+$/u.test(text);
}

export function withoutTrailingSlash(url: string): string {
  return url.replace(/\/+$/, '');
}

/** The address below which a provider's paths begin: operators often paste the address of the completions themselves. */
export function toBaseUrl(url: string): string {
  return withoutTrailingSlash(withoutTrailingSlash(url).replace(/(?:\/chat)?\/completions$/, ''));
}
