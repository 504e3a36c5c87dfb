// Zapier's natural language API, which Zapier has ended: only for a server in its place.
import * as z from 'zod';
import { callService, callServiceForJson } from '../../tools/call-service.ts';
import type { CreatePluginTools } from '../plugin-tool.ts';

const Actions = z.object({
  results: z.array(
    z.object({ id: z.string(), description: z.string(), params: z.record(z.string(), z.unknown()).catch({}) }),
  ),
});

export const createZapierTools: CreatePluginTools = ({ service, config, valueOf }) => {
  const baseURL = `${config.services.ZAPIER_NLA_BASE_URL}/api/v1/exposed`;
  const headers = { 'x-api-key': valueOf('ZAPIER_NLA_API_KEY') };
  return [
    {
      name: 'zapier_actions',
      description: 'Lists the actions of other apps that zapier can run, with their ids.',
      parameters: { type: 'object', properties: {} },
      isRepeatable: true,
      async run({ signal }) {
        const { results } = await callServiceForJson(service, Actions, { url: `${baseURL}/`, headers, signal });
        return results.map(({ id, description }) => `${id}: ${description}`).join('\n') || 'There are no actions.';
      },
    },
    {
      name: 'zapier',
      description: 'Runs an action of another app, such as sending a message. Ask zapier_actions for its id first.',
      parameters: {
        type: 'object',
        properties: {
          action_id: { type: 'string', description: 'The id of the action.', maxLength: 100 },
          instructions: { type: 'string', description: 'What to do, in whole sentences.', maxLength: 4000 },
        },
        required: ['action_id', 'instructions'],
      },
      isRepeatable: false,
      run: ({ args, signal }) =>
        callService(service, {
          url: `${baseURL}/${encodeURIComponent(String(args.action_id))}/execute/`,
          headers,
          body: { instructions: args.instructions },
          signal,
        }),
    },
  ];
};
