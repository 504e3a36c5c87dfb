// A page is read unasked only where its address comes from the person, from a search, or from the operator's list. Any
// other address is one that the model put together: it may carry the chat away, so its person sees it whole and decides.
import { isLoopCall, type ToolCall } from '@parley/schema/messages/messages';
import { readWebSources } from '@parley/schema/tools/web-sources';
import type { BranchText, Chosen, Tool } from '../tool.ts';
import { isListed, namesAddress, pageAddress } from './page-address.ts';
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
export const ASKED_ABOUT = 'The person is asked about addresses that neither they nor a search have named.';

/** @param hosts of the operator, whose pages are read unasked */
export function askForPage(chosen: Chosen, hosts: readonly string[]): NonNullable<Tool['asksAbout']> {
  return async ({ url }) => {
    const address = pageAddress(String(url));
    // What is no address is not called: the tool says so.
    if (!address || isListed(address, hosts) || (await isGiven(address, chosen))) return null;
    return {
      does: `GET ${address.href}`,
      refusal: `${address.href} was not opened: neither the person nor a search named this address. It can be allowed on Parley's page, where it is asked about.`,
    };
  };
}

async function isGiven(address: URL, chosen: Chosen): Promise<boolean> {
  if (sourcesFoundFor(chosen).some((url) => isSame(url, address))) return true;
  for await (const said of chosen.branch?.() ?? []) if (names(said, address)) return true;
  return false;
}

function names(said: BranchText, address: URL): boolean {
  switch (said.from) {
    case 'person':
      return namesAddress(said.text, address, { isBare: true });
    case 'file':
      return namesAddress(said.text, address, { isBare: false });
    case 'reply':
      return said.parts.filter(isLoopCall).some(({ call }) => foundBy(call).some((url) => isSame(url, address)));
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
