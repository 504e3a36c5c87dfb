// REST handlers of the plugin store (docs/rest-compat.md, Plugins).
import * as z from 'zod';
import type { Api } from '../../router.ts';
import { presentPlugin } from '../present/present-plugin.ts';
import { asJson, withoutBody } from '../responses.ts';
import { authed, type Call } from '../route.ts';
import { RestPlugin } from '../shapes/plugin.ts';

// Other fields are ignored.
const Change = z.object({
  pluginKey: z.string({ error: 'pluginKey is required' }),
  action: z.enum(['install', 'uninstall'], { error: 'action must be install or uninstall' }),
  /** Values by field; their names alone count when they are removed. */
  auth: z.record(z.string(), z.string().nullish()).nullish(),
  isAssistantTool: z.boolean().nullish(),
});

export const pluginRoutes = [
  authed('GET', '/api/plugins', listPlugins, {
    summary: 'The store of plugins',
    answers: {
      200: asJson('`authenticated` is there only where the operator’s values fill all fields.', z.array(RestPlugin)),
    },
  }),
  authed('POST', '/api/user/plugins', changePlugins, {
    summary: 'Installs or uninstalls a plugin',
    body: Change,
    answers: { 200: withoutBody('It is done.') },
  }),
];

async function listPlugins(api: Api) {
  return (await api.plugins.list()).map(presentPlugin);
}

async function changePlugins(api: Api, { body }: Call): Promise<Response> {
  const { pluginKey: key, action, auth, isAssistantTool } = Change.parse(body);
  const isForAssistant = isAssistantTool ?? false;
  const given = Object.entries(auth ?? {}).map(([field, value]) => [field, value ?? ''] as const);
  if (action === 'install') await api.plugins.install({ key, values: Object.fromEntries(given), isForAssistant });
  else await api.plugins.uninstall({ key, fields: given.map(([field]) => field), isForAssistant });
  return new Response(null, { status: 200 });
}
