// SerpAPI's reading of Google.
import { argumentsSchema } from '../../providers/tool-spec.ts';
import { searchSerpapi } from '../../tools/web/serpapi.ts';
import { besideSources, choiceNumbers } from '../../tools/web/source-numbers.ts';
import { field, definePlugin } from '../define-plugin.ts';

const FROM = { location: 'Austin,Texas,United States', hl: 'en', gl: 'us' };
const RESULTS_MAX = 8;

export const serpapi = definePlugin({
  key: 'serpapi',
  name: 'Serpapi',
  description: 'Searches the web by SerpAPI, which reads the pages of search engines.',
  fields: [field('SERPAPI_API_KEY', 'SerpAPI API key', 'The key of your account at serpapi.com.')],
  isForAssistants: false,
  trial: { input: 'weather' },
  tools: ({ service, config, valueOf, chosen }) => [
    {
      name: 'serpapi',
      description:
        'Searches the web, also for recent events. Name the sources that you use by their numbers, such as [1].',
      parameters: argumentsSchema({
        input: { type: 'string', description: 'What to search for.', minLength: 1, maxLength: 400 },
      }),
      isRepeatable: true,
      async run({ args, signal }) {
        const at = { baseURL: config.services.SERPAPI_BASE_URL, key: valueOf('SERPAPI_API_KEY'), from: FROM };
        const request = { query: String(args.input), count: RESULTS_MAX, signal };
        const { answer, results } = await searchSerpapi(service, at, request);
        const sources = choiceNumbers(chosen)(results);
        return answer === null ? sources : `${besideSources(answer)}\n\n${sources}`;
      },
    },
  ],
});
