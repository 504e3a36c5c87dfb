// The tools of this server, for administrators. Keys and headers go in and never come out.
import {
  SavedToolRef,
  SaveToolServer,
  SaveToolValues,
  SwitchTool,
  ToolServer,
  ToolValues,
  type ToolTried,
} from '@parley/schema/tools/tool-settings';
import type { ToolServices } from './write-tool.ts';
import { adminProcedures } from '../admin-procedure.ts';
import { removeTool, saveValues, switchTool, checkedValues, findToolService } from './change-tool.ts';
import { listTools } from './list-tools.ts';
import { saveServer, tryServer } from './servers.ts';
import { randomUUID } from 'node:crypto';
import type { Reason } from '@parley/schema/reasons';
import type * as z from 'zod';
import { sentenceIn } from '../../catalog/live/try-endpoint.ts';
import { withDeadline } from '../../platform/deadline.ts';
import type { Egress } from '../../platform/egress.ts';
import { pluginContext } from '../../plugins/source.ts';
import { ServiceFailure } from '../../tools/call-service.ts';
import { storedTools } from '../../tools/saved/saved-tools.ts';
import { withSavedTools } from '../../tools/saved/with-saved.ts';
import { chooseSearchProvider } from '../../tools/web/search-providers.ts';
import { invalid, operatorsValue, type ToolService } from './services.ts';

const { adminProcedure, sensitiveProcedure, router } = adminProcedures<ToolServices>();

export const adminToolsRouter = router({
  list: adminProcedure.query(({ ctx }) => listTools(ctx.deps)),

  setOn: adminProcedure.input(SwitchTool).mutation(({ ctx, input }) => switchTool(ctx.deps, ctx.actor, input)),

  saveValues: sensitiveProcedure
    .input(SaveToolValues)
    .mutation(({ ctx, input }) => saveValues(ctx.deps, ctx.actor, input)),

  /** One call of the service, with values that need not be saved. */
  tryValues: adminProcedure
    .input(ToolValues)
    .mutation(({ ctx, input, signal }) => tryValues(ctx.deps, input, { userId: ctx.actor.id, signal })),

  saveServer: sensitiveProcedure
    .input(SaveToolServer)
    .mutation(({ ctx, input }) => saveServer(ctx.deps, ctx.actor, input)),

  tryServer: adminProcedure.input(ToolServer).mutation(({ ctx, input }) => tryServer(ctx.deps, ctx.actor.id, input)),

  remove: adminProcedure.input(SavedToolRef).mutation(({ ctx, input }) => removeTool(ctx.deps, ctx.actor, input)),
});

/** Calls a service once with values that need not be saved. @throws Refusal `invalid_input`, `forbidden_base_url` */
async function tryValues(
  deps: ToolServices,
  input: z.output<typeof ToolValues>,
  { userId, signal }: { userId: string; signal?: AbortSignal | undefined },
): Promise<ToolTried> {
  const service = findToolService(deps, input.name);
  const stored = (await storedTools(deps.db.query)).find(({ name }) => name === input.name);
  const given = operatorsValues(deps, service);
  const values = given ?? checkedValues(deps, service, input, stored);
  const caller = { userId, egress: given ? null : deps.egress };
  const { tryAnswerMs } = deps.timings;
  const ending = withDeadline(tryAnswerMs, signal);
  try {
    await callOnce(deps, service, values, caller, ending);
    return { ok: true, tools: [] };
  } catch (error) {
    if (ending.aborted && signal?.aborted !== true)
      return { ok: false, reason: { type: 'provider_stalled', seconds: Math.round(tryAnswerMs / 1000) }, words: null };
    if (!(error instanceof ServiceFailure)) throw error;
    return { ok: false, reason: reasonOf(error, service.label), words: error.words && sentenceIn(error.words) };
  }
}

/** Those of the environment, which wins; null where it gives none. */
function operatorsValues({ toolSettings }: ToolServices, { fields }: ToolService): Record<string, string> | null {
  const given = fields.flatMap(({ names }) => {
    const value = operatorsValue(toolSettings.operators, names);
    return value === undefined ? [] : [[names[0], value] as const];
  });
  return given.length === 0 ? null : Object.fromEntries(given);
}

/** With these values alone, whatever else is set. */
async function callOnce(
  deps: ToolServices,
  { name, fields, plugin }: ToolService,
  values: Record<string, string>,
  { userId, egress }: { userId: string; egress: Egress | null },
  signal: AbortSignal,
): Promise<void> {
  const { operators } = deps.toolSettings;
  const bare = { ...operators.plugins, fields: {}, braveKey: undefined, searxngURL: undefined };
  const { plugins } = withSavedTools({ ...operators, plugins: bare }, [{ name, isOn: true, url: null, values }], () =>
    fields.map(({ names }) => names),
  );
  if (!plugin) {
    const request = { query: 'weather', count: 1, signal };
    await chooseSearchProvider(plugins, egress)?.search(request);
    return;
  }
  if (!plugin.trial) invalid('This tool cannot be tried.');
  const chosen = { userId, convoId: '', keys: [], files: [] };
  const credentials = { values: new Map(Object.entries(values)), isOwnAddress: egress !== null };
  const context = { ...pluginContext(deps, plugin, chosen, credentials), config: plugins };
  const [tool] = plugin.tools?.(context, operators.env) ?? [];
  const ids = { convoId: '', generationId: '', callId: randomUUID() };
  await tool?.run({ ...ids, userId, args: { ...plugin.trial }, signal, report: () => {} });
}

/** As the page describes failures of providers. */
function reasonOf({ service, message }: ServiceFailure, endpoint: string): Reason {
  const status = service?.status ?? null;
  if (status === 401 || status === 403) return { type: 'invalid_api_key', endpoint };
  if (status === null || status >= 500) return { type: 'provider_unavailable', status };
  return status === 200 ? { type: 'provider_malformed' } : { type: 'provider_refused', status, text: message };
}
