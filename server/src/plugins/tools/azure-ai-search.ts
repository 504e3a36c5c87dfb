// An index of Azure AI Search.
import * as z from 'zod';
import { credential, integer, oneLine, oneWord } from '../../config/env/env-readers.ts';
import { withoutTrailingSlash } from '../../config/addresses.ts';
import { argumentsSchema } from '../../providers/tool-spec.ts';
import { callServiceForJson } from '../../tools/call-service.ts';
import { address, field, definePlugin } from '../define-plugin.ts';

const queryTypes = oneWord('simple', 'full', 'semantic');

const Reply = z.object({ value: z.array(z.record(z.string(), z.unknown())) });

export const azureAiSearch = definePlugin({
  key: 'azure-ai-search',
  name: 'Azure AI Search',
  description: 'Searches an index of Azure AI Search.',
  fields: [
    address('AZURE_AI_SEARCH_SERVICE_ENDPOINT', 'Azure AI Search endpoint', 'https://<service>.search.windows.net'),
    field('AZURE_AI_SEARCH_INDEX_NAME', 'Azure AI Search index name', 'The name of the index.'),
    field('AZURE_AI_SEARCH_API_KEY', 'Azure AI Search API key', 'A query key of the service.'),
  ],
  isForAssistants: true,
  trial: { query: 'a' },
  env: {
    AZURE_AI_SEARCH_API_VERSION: credential,
    AZURE_AI_SEARCH_SEARCH_OPTION_QUERY_TYPE: queryTypes,
    AZURE_AI_SEARCH_SEARCH_OPTION_TOP: integer(1, 50),
    AZURE_AI_SEARCH_SEARCH_OPTION_SELECT: oneLine,
  },
  tools: ({ service, env, valueOf }) => [
    {
      name: 'azure-ai-search',
      description: 'Searches the documents of an index and returns those that fit best, as JSON.',
      parameters: argumentsSchema({ query: { type: 'string', description: 'Words to search for.', maxLength: 1000 } }),
      isRepeatable: true,
      async run({ args, signal }) {
        const {
          AZURE_AI_SEARCH_API_VERSION: apiVersion = '2023-11-01',
          AZURE_AI_SEARCH_SEARCH_OPTION_QUERY_TYPE: queryType = 'simple',
          AZURE_AI_SEARCH_SEARCH_OPTION_TOP: top = 5,
          AZURE_AI_SEARCH_SEARCH_OPTION_SELECT: select,
        } = env;
        const endpoint = withoutTrailingSlash(valueOf('AZURE_AI_SEARCH_SERVICE_ENDPOINT'));
        const index = encodeURIComponent(valueOf('AZURE_AI_SEARCH_INDEX_NAME'));
        const { value } = await callServiceForJson(service, Reply, {
          url: `${endpoint}/indexes/${index}/docs/search`,
          query: { 'api-version': apiVersion },
          headers: { 'api-key': valueOf('AZURE_AI_SEARCH_API_KEY') },
          body: { search: String(args.query), queryType, top, ...(select && { select }) },
          signal,
        });
        return value.length === 0 ? 'Nothing was found.' : JSON.stringify(value);
      },
    },
  ],
});
