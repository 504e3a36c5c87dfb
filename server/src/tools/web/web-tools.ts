// The built-in tools of the web: a search, off without a service to ask, and the reading of a page.
import type { ToolInfo } from '@parley/schema/tools/tools';
import type { Config } from '../../config/config.ts';
import { argumentsSchema } from '../../providers/tool-spec.ts';
import { runForOutcome } from '../outcome.ts';
import type { Chosen, Tool, ToolSource } from '../tool.ts';
import { ASKED_ABOUT, askForPage } from './ask-for-page.ts';
import { notePageRead } from './opened-pages.ts';
import { readPage, type PageAccess } from './read-page.ts';
import { chooseSearchProvider, type SearchProvider } from './search-providers.ts';
import { choiceNumbers } from './source-numbers.ts';

/** As conversations remember them. */
type WebToolKey = 'web_search' | 'web_page';

const SEARCH = {
  description: 'Searches the web and finds pages with their titles, addresses and a few words of each.',
  label: 'Web search',
};
const PAGE = {
  description: 'Opens a page or a PDF of the web and reads it, or the passages of it that a question is about.',
  label: 'Web page',
};
const NO_SEARCH =
  'No search service is set up on this server. Its operator can add one: Tavily, Google, SerpAPI, Brave or SearXNG.';
const RESULTS_DEFAULT = 6;
const RESULTS_MAX = 10;
const CITE = 'Name the sources that you use by their numbers, such as [1].';

export function createWebTools({ config, ...access }: PageAccess & { config: Pick<Config, 'plugins'> }): ToolSource {
  const find = () => chooseSearchProvider(config.plugins, access.egress);
  return {
    name: 'builtin',
    async tools(chosen) {
      const provider = find();
      const search = provider && searchTool(provider, chosen);
      const isChosen = (key: string) => chosen.keys.includes(key);
      return {
        tools: [
          ...(search && isChosen('web_search') ? [search] : []),
          ...(isChosen('web_page') ? [pageTool(access, chosen, config.plugins.webPageHosts)] : []),
        ],
        problems: !search && isChosen('web_search') ? [{ from: originOf('web_search', SEARCH), text: NO_SEARCH }] : [],
      };
    },
    async list(): Promise<ToolInfo[]> {
      return [infoOf('web_search', SEARCH, find() ? null : NO_SEARCH), infoOf('web_page', PAGE, null)];
    },
  };
}

function searchTool(provider: SearchProvider, chosen: Chosen): Tool {
  const numbered = choiceNumbers(chosen);
  return {
    name: 'web_search',
    description: `${SEARCH.description} ${CITE}`,
    parameters: argumentsSchema(
      {
        query: { type: 'string', description: 'What to search for.', maxLength: 400 },
        max_results: { type: 'integer', minimum: 1, maximum: RESULTS_MAX, default: RESULTS_DEFAULT },
      },
      ['query'],
    ),
    kind: 'function',
    from: originOf('web_search', SEARCH),
    isRepeatable: true,
    asks: 'never',
    limits: { timeoutMs: 45_000, outputChars: 24_000 },
    run: ({ args, signal }) =>
      runForOutcome(async () => {
        const { query, max_results: count = RESULTS_DEFAULT } = args;
        const most = Math.min(Number(count) || RESULTS_DEFAULT, RESULTS_MAX);
        return numbered(await provider.search({ query: String(query), count: most, signal }));
      }),
  };
}

function pageTool(access: PageAccess, chosen: Chosen, hosts: readonly string[]): Tool {
  return {
    name: 'web_page',
    description: `${PAGE.description} ${ASKED_ABOUT}`,
    parameters: argumentsSchema(
      {
        url: { type: 'string', description: 'The address of the page.', maxLength: 2000 },
        question: {
          type: 'string',
          description: 'What to look for; without it the page is read from its beginning.',
          maxLength: 1000,
        },
      },
      ['url'],
    ),
    kind: 'function',
    from: originOf('web_page', PAGE),
    isRepeatable: true,
    asks: 'never',
    asksAbout: askForPage(chosen, hosts),
    limits: { timeoutMs: 45_000, outputChars: 16_000 },
    run: ({ args, signal }) =>
      runForOutcome(async () => {
        const url = String(args.url);
        const text = await readPage(access, { url, question: String(args.question ?? ''), hosts, signal });
        notePageRead(chosen, url);
        return text;
      }),
  };
}

interface Shown {
  label: string;
  description: string;
}

function originOf(id: WebToolKey, { label }: Shown): Tool['from'] {
  return { source: 'builtin', id, label };
}

function infoOf(key: WebToolKey, shown: Shown, unavailable: string | null): ToolInfo {
  const why = unavailable === NO_SEARCH ? { why: { type: 'no_search' as const } } : {};
  return { key, from: originOf(key, shown), description: shown.description, unavailable, ...why };
}
