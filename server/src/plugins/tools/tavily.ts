// Tavily's search with all its switches.
import { argumentsSchema } from '../../providers/tool-spec.ts';
import { searchTavily } from '../../tools/web/tavily.ts';
import { besideSources, choiceNumbers } from '../../tools/web/source-numbers.ts';
import { field, definePlugin } from '../define-plugin.ts';

const RESULTS_DEFAULT = 5;
const RESULTS_MAX = 10;

export const tavily = definePlugin({
  key: 'tavily_search_results_json',
  name: 'Tavily Search',
  description: 'Searches the web with Tavily, which is made for language models.',
  fields: [field('TAVILY_API_KEY', 'Tavily API key', 'The key of your account at tavily.com.')],
  isForAssistants: true,
  trial: { query: 'weather' },
  tools: ({ service, config, valueOf, chosen }) => [
    {
      name: 'tavily_search_results_json',
      description:
        'Searches the web for accurate and recent answers. Name the sources that you use by their numbers, such as [1].',
      parameters: argumentsSchema(
        {
          query: { type: 'string', description: 'What to search for.', minLength: 1, maxLength: 400 },
          max_results: { type: 'integer', minimum: 1, maximum: RESULTS_MAX, default: RESULTS_DEFAULT },
          search_depth: { type: 'string', enum: ['basic', 'advanced'], default: 'basic' },
          include_images: { type: 'boolean', default: false },
          include_answer: { type: 'boolean', default: false },
        },
        ['query'],
      ),
      isRepeatable: true,
      async run({ args, signal }) {
        const at = {
          baseURL: config.services.TAVILY_BASE_URL,
          key: valueOf('TAVILY_API_KEY'),
          depth: args.search_depth === 'advanced' ? ('advanced' as const) : ('basic' as const),
          includeImages: args.include_images === true,
          includeAnswer: args.include_answer === true,
        };
        const count = Math.min(Number(args.max_results ?? RESULTS_DEFAULT) || RESULTS_DEFAULT, RESULTS_MAX);
        const { answer, images, results } = await searchTavily(service, at, {
          query: String(args.query),
          count,
          signal,
        });
        const imageLine = images.length > 0 ? `Pictures: ${images.join(' ')}` : null;
        return [besideSources(answer ?? ''), choiceNumbers(chosen)(results), imageLine].filter(Boolean).join('\n\n');
      },
    },
  ],
});
