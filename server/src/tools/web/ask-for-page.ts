// A page is read unasked only where its address comes from the person, from a search, or from the operator's list. Any
// other address is one that the model put together: it may carry the chat away, so its person sees it whole and decides.
// Files and searches may name many addresses of one site, and which of them are read may say as much: of those a chat
// opens two unasked, and then the site is asked about once.
import { isLoopCall, type ToolCall } from '@parley/schema/messages/messages';
import { readWebSources } from '@parley/schema/tools/web-sources';
import type { BranchText, CallQuestion, Chosen, Tool } from '../tool.ts';
import { siteOpenings, type SiteOpenings } from './opened-pages.ts';
import { isListed, namesAddress, pageAddress, siteOfAddress } from './page-address.ts';
import { sourcesFoundFor } from './source-numbers.ts';

/** Tools whose results are found by a search, by their origins. */
const SEARCHES: ReadonlySet<string> = new Set([
  'builtin:web_search',
  'plugin:google',
  'plugin:serpapi',
  'plugin:tavily_search_results_json',
  'plugin:traversaal_search',
]);

/** For the model, in the description of a tool that asks so. */
export const ASKED_ABOUT =
  'The person is asked about addresses that neither they nor a search have named, and about a site of which only files or searches have named several pages.';

/** @param hosts of the operator, whose pages are read unasked */
export function askForPage(chosen: Chosen, hosts: readonly string[]): NonNullable<Tool['asksAbout']> {
  return async ({ url }) => {
    const address = pageAddress(String(url));
    // What is no address is not called: the tool says so.
    if (!address || isListed(address, hosts)) return null;
    const openings = siteOpenings(chosen, siteOfAddress(address));
    const namer = await findNamer(address, chosen, openings);
    if (namer === 'person') return null;
    if (namer === null) return aboutAddress(address);
    const isOnlyFound = async (one: URL) => (await findNamer(one, chosen)) === 'source';
    return (await openings.admit(address, isOnlyFound)) ? null : aboutSite(address);
  };
}

function aboutAddress({ href }: URL): CallQuestion {
  return {
    does: `GET ${href}`,
    refusal: `${href} was not opened: neither the person nor a search named this address. It can be allowed on Parley's page, where it is asked about.`,
  };
}

function aboutSite(address: URL): CallQuestion {
  const site = siteOfAddress(address);
  return {
    does: `GET ${address.href} (${site}/*)`,
    refusal: `${address.href} was not opened: other pages of ${site} were, and only files or searches name this one. It can be allowed on Parley's page, where it is asked about.`,
  };
}

type Namer = 'person' | 'source' | null;

/** Who names the address, the person before a file or a search. Notes what the branch has opened. */
async function findNamer(address: URL, chosen: Chosen, openings?: SiteOpenings): Promise<Namer> {
  let namer: Namer = sourcesFoundFor(chosen).some((url) => isSame(url, address)) ? 'source' : null;
  for await (const said of chosen.branch?.() ?? []) {
    // Files come last: whether the person names it is known then.
    if (namer !== null && said.from === 'file') break;
    const found = namerIn(said, address);
    if (found === 'person') return found;
    namer ??= found;
    if (said.from === 'reply') openings?.read(said.parts);
  }
  return namer;
}

function namerIn(said: BranchText, address: URL): Namer {
  switch (said.from) {
    case 'person':
      return namesAddress(said.text, address, { isBare: true }) ? 'person' : null;
    case 'file':
      return namesAddress(said.text, address, { isBare: false }) ? 'source' : null;
    case 'reply': {
      const found = said.parts.filter(isLoopCall).some(({ call }) => foundBy(call).some((url) => isSame(url, address)));
      return found ? 'source' : null;
    }
    default:
      return said satisfies never;
  }
}

function foundBy({ from, state, output }: ToolCall): string[] {
  const isSearch = from && SEARCHES.has(`${from.source}:${from.id}`);
  return isSearch && state === 'done' ? readWebSources(output ?? '').map(({ url }) => url) : [];
}

function isSame(url: string, { href }: URL): boolean {
  return pageAddress(url)?.href === href;
}
