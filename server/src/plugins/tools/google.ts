// Google's programmable search engine.
import { argumentsSchema } from '../../providers/tool-spec.ts';
import { searchGoogle } from '../../tools/web/google.ts';
import { choiceNumbers } from '../../tools/web/source-numbers.ts';
import { field, definePlugin } from '../define-plugin.ts';

const RESULTS_DEFAULT = 5;
const RESULTS_MAX = 10;

export const google = definePlugin({
  key: 'google',
  name: 'Google',
  description: 'Searches the web with a programmable search engine of Google, which Google ends on 1 January 2027.',
  fields: [
    field('GOOGLE_CSE_ID', 'Google CSE ID', 'The id of your search engine, from programmablesearchengine.google.com.'),
    field('GOOGLE_SEARCH_API_KEY', 'Google API key', 'A key of the Custom Search API, from console.cloud.google.com.'),
  ],
  isForAssistants: true,
  trial: { query: 'weather', max_results: 1 },
  tools: ({ service, config, valueOf, chosen }) => [
    {
      name: 'google',
      description:
        'Searches the web with Google, also for recent events. Name the sources that you use by their numbers, such as [1].',
      parameters: argumentsSchema(
        {
          query: { type: 'string', description: 'What to search for.', minLength: 1, maxLength: 400 },
          max_results: { type: 'integer', minimum: 1, maximum: RESULTS_MAX, default: RESULTS_DEFAULT },
        },
        ['query'],
      ),
      isRepeatable: true,
      async run({ args, signal }) {
        const at = {
          baseURL: config.services.GOOGLE_SEARCH_BASE_URL,
          key: valueOf('GOOGLE_SEARCH_API_KEY'),
          engineId: valueOf('GOOGLE_CSE_ID'),
        };
        const count = Math.min(Number(args.max_results ?? RESULTS_DEFAULT) || RESULTS_DEFAULT, RESULTS_MAX);
        return choiceNumbers(chosen)(await searchGoogle(service, at, { query: String(args.query), count, signal }));
      },
    },
  ],
});
