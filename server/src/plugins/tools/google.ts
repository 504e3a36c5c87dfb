// Google's programmable search engine.
import { searchGoogle } from '../../tools/web/google.ts';
import { numberSourcesOf } from '../../tools/web/source-numbers.ts';
import type { CreatePluginTools } from '../plugin-tool.ts';

const RESULTS_DEFAULT = 5;
const RESULTS_MAX = 10;

export const createGoogleTools: CreatePluginTools = ({ service, config, valueOf, chosen }) => [
  {
    name: 'google',
    description:
      'Searches the web with Google, also for recent events. Name the sources that you use by their numbers, such as [1].',
    parameters: {
      type: 'object',
      properties: {
        query: { type: 'string', description: 'What to search for.', minLength: 1, maxLength: 400 },
        max_results: { type: 'integer', minimum: 1, maximum: RESULTS_MAX, default: RESULTS_DEFAULT },
      },
      required: ['query'],
    },
    isRepeatable: true,
    async run({ args, signal }) {
      const at = {
        baseURL: config.services.GOOGLE_SEARCH_BASE_URL,
        key: valueOf('GOOGLE_SEARCH_API_KEY'),
        engineId: valueOf('GOOGLE_CSE_ID'),
      };
      const count = Math.min(Number(args.max_results ?? RESULTS_DEFAULT) || RESULTS_DEFAULT, RESULTS_MAX);
      return numberSourcesOf(chosen)(await searchGoogle(service, at, { query: String(args.query), count, signal }));
    },
  },
];
