// SerpAPI's reading of Google.
import { searchSerpapi } from '../../tools/web/serpapi.ts';
import { besideSources, numberSourcesOf } from '../../tools/web/source-numbers.ts';
import type { CreatePluginTools } from '../plugin-tool.ts';

const FROM = { location: 'Austin,Texas,United States', hl: 'en', gl: 'us' };
const RESULTS_MAX = 8;

export const createSerpapiTools: CreatePluginTools = ({ service, config, valueOf, chosen }) => [
  {
    name: 'serpapi',
    description:
      'Searches the web, also for recent events. Name the sources that you use by their numbers, such as [1].',
    parameters: {
      type: 'object',
      properties: { input: { type: 'string', description: 'What to search for.', minLength: 1, maxLength: 400 } },
      required: ['input'],
    },
    isRepeatable: true,
    async run({ args, signal }) {
      const at = { baseURL: config.services.SERPAPI_BASE_URL, key: valueOf('SERPAPI_API_KEY'), from: FROM };
      const request = { query: String(args.input), count: RESULTS_MAX, signal };
      const { answer, results } = await searchSerpapi(service, at, request);
      const sources = numberSourcesOf(chosen)(results);
      return answer === null ? sources : `${besideSources(answer)}\n\n${sources}`;
    },
  },
];
