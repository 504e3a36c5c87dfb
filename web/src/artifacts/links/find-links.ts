// The addresses that a page or a picture links to, for the list beside it: in the frame a link leads nowhere.

export interface Link {
  /** As the browser writes it, without what hides in a name. */
  href: string;
  /** What the link says; may be empty. */
  text: string;
  /** The whole host with its port, or the address of a mail. */
  host: string;
}

/** More of one page are not listed. */
const LINKS_MAX = 100;
const TEXT_MAX = 80;
const ADDRESS_MAX = 2_000;
const PROTOCOLS: ReadonlySet<string> = new Set(['http:', 'https:', 'mailto:']);

/** Each address once, in the order of the page. Parsing runs nothing and loads nothing. */
export function findLinks(source: string): Link[] {
  if (!/href/i.test(source)) return [];
  const links = new Map<string, Link>();
  const page = new DOMParser().parseFromString(source, 'text/html');
  for (const element of page.querySelectorAll('a, area')) {
    const link = linkOf(element);
    if (link && !links.has(link.href)) links.set(link.href, link);
    if (links.size === LINKS_MAX) break;
  }
  return [...links.values()];
}

/** Null for an address within the page, one without a host of its own, and any other protocol. */
function linkOf(element: Element): Link | null {
  const address = element.getAttribute('href') ?? element.getAttribute('xlink:href') ?? '';
  const url = address.length <= ADDRESS_MAX && URL.canParse(address) ? new URL(address) : null;
  if (!url || !PROTOCOLS.has(url.protocol)) return null;
  // What stands before the host reads like one.
  [url.username, url.password] = ['', ''];
  const host = url.protocol === 'mailto:' ? decoded(url.pathname) : url.host;
  return host === '' ? null : { href: url.href, text: wordsOf(element), host };
}

function wordsOf(element: Element): string {
  const words = (element.textContent || element.getAttribute('alt') || '').slice(0, ADDRESS_MAX);
  const line = words.split(/\s/).filter(Boolean).join(' ');
  return line.length <= TEXT_MAX ? line : `${line.slice(0, TEXT_MAX - 1).toWellFormed()}…`;
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
