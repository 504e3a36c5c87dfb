// An index of Azure AI Search.
import { withoutTrailingSlash } from '../../config/addresses.ts';
import * as z from 'zod';
import { callServiceForJson } from '../../tools/call-service.ts';
import type { CreatePluginTools } from '../plugin-tool.ts';

const Reply = z.object({ value: z.array(z.record(z.string(), z.unknown())) });

export const createAzureSearchTools: CreatePluginTools = ({ service, config: { azureSearch }, valueOf }) => [
  {
    name: 'azure-ai-search',
    description: 'Searches the documents of an index and returns those that fit best, as JSON.',
    parameters: {
      type: 'object',
      properties: { query: { type: 'string', description: 'Words to search for.', maxLength: 1000 } },
      required: ['query'],
    },
    isRepeatable: true,
    async run({ args, signal }) {
      const { apiVersion, queryType, top, select } = azureSearch;
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
];
