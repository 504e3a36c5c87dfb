// Traversaal answers in sentences, with the pages it read.
import * as z from 'zod';
import { withoutTrailingSlash } from '../../config/addresses.ts';
import { httpUrl } from '../../config/env/env-readers.ts';
import { argumentsSchema } from '../../providers/tool-spec.ts';
import { callServiceForJson } from '../../tools/call-service.ts';
import { besideSources, choiceNumbers } from '../../tools/web/source-numbers.ts';
import { field, definePlugin } from '../define-plugin.ts';

const Reply = z.object({
  data: z.object({ response_text: z.string(), web_url: z.array(z.string()).catch([]) }),
});

export const traversaal = definePlugin({
  key: 'traversaal_search',
  name: 'Traversaal',
  description: 'Searches the web with Traversaal and answers in a few sentences, with the pages it read.',
  fields: [field('TRAVERSAAL_API_KEY', 'Traversaal API key', 'The key of your account at api.traversaal.ai.')],
  isForAssistants: true,
  trial: { query: 'weather' },
  env: { TRAVERSAAL_BASE_URL: httpUrl },
  tools: ({ service, env, valueOf, chosen }) => [
    {
      name: 'traversaal_search',
      description: 'Searches the web and answers in a few sentences with the pages that it read. For recent events.',
      parameters: argumentsSchema({
        query: { type: 'string', description: 'A question, or words to search for.', maxLength: 1000 },
      }),
      isRepeatable: true,
      async run({ args, signal }) {
        const { data } = await callServiceForJson(service, Reply, {
          url: `${withoutTrailingSlash(env.TRAVERSAAL_BASE_URL ?? 'https://api-ares.traversaal.ai')}/live/predict`,
          headers: { 'x-api-key': valueOf('TRAVERSAAL_API_KEY') },
          body: { query: [String(args.query)] },
          signal,
        });
        const pages = data.web_url.map((url) => ({ title: url, url, snippet: '' }));
        const result = besideSources(data.response_text);
        return pages.length === 0 ? result : `${result}\n\n${choiceNumbers(chosen)(pages)}`;
      },
    },
  ],
});
