// Which pages of a site a branch has opened, where only files and searches name them: the choice among many of them could
// carry the chat away. Two are opened unasked, then the person is asked; what was opened beyond two, they have allowed.
import { isObject, parseJson } from '@parley/schema/json';
import { isLoopCall, type MessagePart, type ToolCall, type ToolState } from '@parley/schema/messages/messages';
import type { Chosen } from '../tool.ts';
import { pageAddress, siteOfAddress } from './page-address.ts';

/** Pages of a site that are opened unasked. */
const FREE_PAGES = 2;
/** How often a chat goes from one of them to the other unasked, the first opening of each included. */
const FREE_MOVES = 4;
/** Tools that open pages, by their origins. */
const READERS: ReadonlySet<string> = new Set(['builtin:web_page', 'plugin:web-browser']);
/** Calls whose page has not been asked for. */
const UNSENT: ReadonlySet<ToolState | undefined> = new Set(['writing', 'waiting', 'denied']);

interface Opening {
  href: string;
  isRead: boolean;
}

/** Those of a run, which its reply does not have yet, in their order. */
const opened = new WeakMap<Chosen, Opening[]>();

/** Whether a file or a search names this address, and the person does not. */
type IsOnlyFound = (address: URL) => Promise<boolean>;

export interface SiteOpenings {
  /** Notes what a reply opened. Replies come with the newest first. */
  read(parts: readonly MessagePart[]): void;
  /** Whether this page of the site is opened unasked, which is noted: of calls at the same time each counts. */
  admit(address: URL, isOnlyFound: IsOnlyFound): Promise<boolean>;
}

/** Of the branch of a run. */
export function siteOpenings(chosen: Chosen, site: string): SiteOpenings {
  const earlier: Opening[] = [];
  return {
    read: (parts) => void earlier.unshift(...parts.filter(isLoopCall).flatMap(({ call }) => openingsOf(call, site))),
    async admit(address, isOnlyFound) {
      const { href } = address;
      // Most chats open few pages of a site: then who named them need not be known.
      if (isFew(all(), href)) return note(chosen, { href, isRead: false });
      const found = new Set<string>();
      for (const one of new Set(all().map((opening) => opening.href)))
        if (await isOnlyFound(new URL(one))) found.add(one);
      // What was noted meanwhile is found: it was admitted here.
      const known = new Set(earlier.map((opening) => opening.href));
      const counted = all().filter((one) => found.has(one.href) || !known.has(one.href));
      const isAllowed = isBeyond(counted.filter(({ isRead }) => isRead));
      return (isAllowed || isFew(counted, href)) && note(chosen, { href, isRead: false });
    },
  };

  function all(): Opening[] {
    return [...earlier, ...(opened.get(chosen) ?? []).filter(({ href }) => isOf(href, site))];
  }
}

/** Notes a page that was read. */
export function notePageRead(chosen: Chosen, url: string): void {
  const address = pageAddress(url);
  const admitted = opened.get(chosen)?.findLast(({ href, isRead }) => href === address?.href && !isRead);
  if (admitted) admitted.isRead = true;
  else if (address) note(chosen, { href: address.href, isRead: true });
}

function note(chosen: Chosen, opening: Opening): true {
  opened.set(chosen, [...(opened.get(chosen) ?? []), opening]);
  return true;
}

function isFew(openings: readonly Opening[], href: string): boolean {
  const hrefs = [...openings.map((one) => one.href), href];
  return new Set(hrefs).size <= FREE_PAGES && movesOf(hrefs) <= FREE_MOVES;
}

/** More than was opened unasked. */
function isBeyond(openings: readonly Opening[]): boolean {
  const hrefs = openings.map(({ href }) => href);
  return new Set(hrefs).size > FREE_PAGES || movesOf(hrefs) > FREE_MOVES;
}

/** Without those that read the page before again. */
function movesOf(hrefs: readonly string[]): number {
  return hrefs.filter((href, at) => href !== hrefs[at - 1]).length;
}

function openingsOf({ from, state, input }: ToolCall, site: string): Opening[] {
  if (!from || !READERS.has(`${from.source}:${from.id}`) || UNSENT.has(state)) return [];
  const href = pageAddress(urlIn(input))?.href;
  return href !== undefined && isOf(href, site) ? [{ href, isRead: state === 'done' }] : [];
}

function urlIn(input: string): string {
  const args = parseJson(input);
  return isObject(args) && typeof args.url === 'string' ? args.url : '';
}

function isOf(href: string, site: string): boolean {
  return siteOfAddress(new URL(href)) === site;
}
