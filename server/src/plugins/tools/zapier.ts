// Zapier's natural language API, which Zapier has ended: only for a server in its place.
import * as z from 'zod';
import { withoutTrailingSlash } from '../../config/addresses.ts';
import { httpUrl } from '../../config/env/env-readers.ts';
import { argumentsSchema } from '../../providers/tool-spec.ts';
import { callService, callServiceForJson } from '../../tools/call-service.ts';
import { field, definePlugin } from '../define-plugin.ts';

const Actions = z.object({
  results: z.array(
    z.object({ id: z.string(), description: z.string(), params: z.record(z.string(), z.unknown()).catch({}) }),
  ),
});

export const zapier = definePlugin({
  key: 'zapier',
  name: 'Zapier',
  description: 'Runs actions of other apps by Zapier’s natural language API.',
  fields: [field('ZAPIER_NLA_API_KEY', 'Zapier NLA API key', 'The key of your account at nla.zapier.com.')],
  service: 'ZAPIER_NLA_BASE_URL',
  isForAssistants: false,
  ended: {
    text: 'Zapier has ended this service. Zapier’s MCP server does the same.',
    why: { type: 'service_moved', name: 'Zapier' },
  },
  env: { ZAPIER_NLA_BASE_URL: httpUrl },
  tools: ({ service, env, valueOf }) => {
    const baseURL = `${withoutTrailingSlash(env.ZAPIER_NLA_BASE_URL ?? 'https://nla.zapier.com')}/api/v1/exposed`;
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
        parameters: argumentsSchema({
          action_id: { type: 'string', description: 'The id of the action.', maxLength: 100 },
          instructions: { type: 'string', description: 'What to do, in whole sentences.', maxLength: 4000 },
        }),
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
  },
});
