// Wolfram|Alpha's answers for language models.
import { callService } from '../../tools/call-service.ts';
import type { CreatePluginTools } from '../plugin-tool.ts';

export const createWolframTools: CreatePluginTools = ({ service, config, valueOf }) => [
  {
    name: 'wolfram',
    description:
      'Asks Wolfram|Alpha, which computes answers about mathematics, units, science, geography, history and dates. ' +
      'Ask in short English words, such as "France population"; write powers as 6*10^14; name one thing at a time.',
    parameters: {
      type: 'object',
      properties: { nl_query: { type: 'string', description: 'The question, in English.', maxLength: 1000 } },
      required: ['nl_query'],
    },
    isRepeatable: true,
    run: ({ args, signal }) =>
      callService(service, {
        url: `${config.services.WOLFRAM_BASE_URL}/api/v1/llm-api`,
        query: { input: String(args.nl_query), appid: valueOf('WOLFRAM_APP_ID') },
        signal,
      }),
  },
];
