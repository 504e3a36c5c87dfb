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
import { type ToolServices, writeTool } from './write-tool.ts';
import { adminProcedures } from '../admin-procedure.ts';
import { listTools } from './list-tools.ts';
import { saveServer, tryServer, forgetServer } from './servers.ts';
import { randomUUID } from 'node:crypto';
import type { Reason } from '@parley/schema/reasons';
import type * as z from 'zod';
import { sentenceIn } from '../../catalog/live/try-endpoint.ts';
import { withDeadline } from '../../platform/deadline.ts';
import { type Egress, checkedBaseURL } from '../../platform/egress.ts';
import { pluginContext } from '../../plugins/source.ts';
import { ServiceFailure } from '../../tools/call-service.ts';
import { storedTools, encryptedValues, openedTool, type StoredTool } from '../../tools/saved/saved-tools.ts';
import { withSavedTools } from '../../tools/saved/with-saved.ts';
import { chooseSearchProvider } from '../../tools/web/search-providers.ts';
import { invalid, operatorsValue, type ToolService, toolServices } from './services.ts';
import { exemptHosts } from '../../catalog/live/exempt-hosts.ts';
import type { Actor } from '../audit-events.ts';

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

// Saves, switches and removes what administrators set of tools.

/** @throws Refusal `conflict`, `invalid_input`, `forbidden_base_url` */
async function saveValues(deps: ToolServices, actor: Actor, input: z.output<typeof SaveToolValues>): Promise<null> {
  const { name } = input;
  const service = findToolService(deps, name);
  if (service.fields.some(({ names }) => operatorsValue(deps.toolSettings.operators, names)))
    invalid('The environment of this server sets this tool, and wins.');
  return writeTool(deps, actor, input, async (stored) => {
    const values = checkedValues(deps, service, input, stored);
    const encrypted = encryptedValues(deps.encryption, { name, values });
    return { change: { encrypted }, event: { event: 'tool.key_saved', details: { name: service.label } } };
  });
}

/** @throws Refusal `conflict`, `invalid_input` for what is no tool */
async function switchTool(deps: ToolServices, actor: Actor, input: z.output<typeof SwitchTool>): Promise<null> {
  const { name, isOn } = input;
  const label = await labelOf(deps, name);
  const event = { event: 'tool.switched', details: { name: label, isOn } };
  return writeTool(deps, actor, input, async () => ({ change: { isOn }, event }));
}

/** A tool server, or the values of a service. @throws Refusal `conflict` */
async function removeTool(deps: ToolServices, actor: Actor, ref: z.output<typeof SavedToolRef>): Promise<null> {
  const { name } = ref;
  const label = await labelOf(deps, name);
  return writeTool(deps, actor, ref, async (stored, tx) => {
    const isServer = typeof stored?.config['url'] === 'string';
    if (!isServer && !stored?.encrypted) invalid('Nothing is saved for this tool.');
    if (isServer) await forgetServer(tx, name);
    const event = { event: isServer ? 'tool.server_removed' : 'tool.key_removed', details: { name: label } };
    return { change: isServer || stored?.isOn ? null : { encrypted: null }, event };
  });
}

function findToolService({ config }: ToolServices, name: string): ToolService {
  const service = toolServices(config).find((one) => one.name === name);
  return service && service.fields.length > 0 ? service : invalid('There is nothing to fill in for this tool.');
}

/**
 * The values with those that are saved where none is given. A saved key goes to no other address than the one that it
 * was saved for: anyone who may not read a key cannot have it sent elsewhere either.
 * @throws Refusal `invalid_input`, `forbidden_base_url`
 */
function checkedValues(
  { config, encryption }: ToolServices,
  { fields }: ToolService,
  { values }: z.output<typeof ToolValues>,
  stored: StoredTool | undefined,
): Record<string, string> {
  const before = stored ? openedTool(stored, encryption).values : {};
  const given = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value.trim()]));
  const own = fields.map(({ names: [first], isAddress }) => ({ first, isAddress }));
  if (Object.keys(given).some((name) => !own.some(({ first }) => first === name))) invalid('There is no such field.');
  const next: Record<string, string> = {};
  for (const { first, isAddress } of own) {
    const value = given[first] ?? before[first] ?? invalid('Fill in every field.');
    next[first] = isAddress ? checkedBaseURL(value, exemptHosts(config)) : value;
  }
  const isElsewhere = own.some(({ first, isAddress }) => isAddress && before[first] !== next[first]);
  if (isElsewhere && own.some(({ first, isAddress }) => !isAddress && !given[first] && before[first]))
    invalid('Enter the key again: the address is another one.');
  return next;
}

/** For the log. @throws Refusal `invalid_input` */
async function labelOf(deps: ToolServices, name: string): Promise<string> {
  const row = (await listTools(deps)).find((one) => one.name === name);
  return row?.label ?? invalid('There is no such tool.');
}
