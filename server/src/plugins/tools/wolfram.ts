// Wolfram|Alpha's answers for language models.
import { withoutTrailingSlash } from '../../config/addresses.ts';
import { httpUrl } from '../../config/env/env-readers.ts';
import { argumentsSchema } from '../../providers/tool-spec.ts';
import { callService } from '../../tools/call-service.ts';
import { field, definePlugin } from '../define-plugin.ts';

export const wolfram = definePlugin({
  key: 'wolfram',
  name: 'Wolfram',
  description: 'Asks Wolfram|Alpha for computed answers: mathematics, units, science, geography, dates.',
  fields: [field('WOLFRAM_APP_ID', 'Wolfram App ID', 'An App ID of the LLM API, from developer.wolframalpha.com.')],
  isForAssistants: true,
  trial: { nl_query: '2+2' },
  env: { WOLFRAM_BASE_URL: httpUrl },
  tools: ({ service, env, valueOf }) => [
    {
      name: 'wolfram',
      description:
        'Asks Wolfram|Alpha, which computes answers about mathematics, units, science, geography, history and dates. ' +
        'Ask in short English words, such as "France population"; write powers as 6*10^14; name one thing at a time.',
      parameters: argumentsSchema({
        nl_query: { type: 'string', description: 'The question, in English.', maxLength: 1000 },
      }),
      isRepeatable: true,
      run: ({ args, signal }) =>
        callService(service, {
          url: `${withoutTrailingSlash(env.WOLFRAM_BASE_URL ?? 'https://www.wolframalpha.com')}/api/v1/llm-api`,
          query: { input: String(args.nl_query), appid: valueOf('WOLFRAM_APP_ID') },
          signal,
        }),
    },
  ],
});
