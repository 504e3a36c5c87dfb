// Tests of this room: tests/unit/config.

/** The value that makes each user bring their own key or base URL. */
export const USER_PROVIDED = 'user_provided';

export function isHttpUrl(text: string): boolean {
  return URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol);
}

/** An allowed link target of the interface: a web page, or a path of this site. Never `javascript:` or `//host`. */
export function isLinkTarget(text: string): boolean {
  return isHttpUrl(text) || /^\/(?![/\\])/.test(text);
}

/** The site's URL has no credentials, query or fragment, since paths are appended to it. */
export function isSiteUrl(text: string): boolean {
  if (!isHttpUrl(text)) return false;
  const { username, password, search, hash } = new URL(text);
  return username + password + search + hash === '';
}

/**
 * A single mail address that a mail header cannot misread as a second address, a display name or another header line.
 */
export function isMailAddress(text: string): boolean {
  return /^[^\s\p{Cc}@<>()[\]\\,;:"]+@[^\s\p{Cc}@<>()[\]\\,;:"]+$/u.test(text);
}

export function withoutTrailingSlash(url: string): string {
  return url.replace(/(?<!\/)\/+$/, '');
}

/** The provider's base URL: operators often paste the full URL of the completions. */
export function toBaseUrl(url: string): string {
  return withoutTrailingSlash(withoutTrailingSlash(url).replace(/(?:\/chat)?\/completions$/, ''));
}
