// Saves, switches and removes what administrators set of tools.
import type { SavedToolRef, SaveToolValues, SwitchTool, ToolValues } from '@parley/schema/tools/tool-settings';
import type * as z from 'zod';
import { exemptHosts } from '../../catalog/live/exempt-hosts.ts';
import { checkedBaseURL } from '../../platform/egress.ts';
import { encryptedValues, openedTool, type StoredTool } from '../../tools/saved/saved-tools.ts';
import type { Actor } from '../audit-events.ts';
import { listTools } from './list-tools.ts';
import { forgetServer } from './servers.ts';
import { invalid, operatorsValue, toolServices, type ToolService } from './services.ts';
import { writeTool, type ToolServices } from './write-tool.ts';

/** @throws Refusal `conflict`, `invalid_input`, `forbidden_base_url` */
export async function saveValues(
  deps: ToolServices,
  actor: Actor,
  input: z.output<typeof SaveToolValues>,
): Promise<null> {
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
export async function switchTool(deps: ToolServices, actor: Actor, input: z.output<typeof SwitchTool>): Promise<null> {
  const { name, isOn } = input;
  const label = await labelOf(deps, name);
  const event = { event: 'tool.switched', details: { name: label, isOn } };
  return writeTool(deps, actor, input, async () => ({ change: { isOn }, event }));
}

/** A tool server, or the values of a service. @throws Refusal `conflict` */
export async function removeTool(deps: ToolServices, actor: Actor, ref: z.output<typeof SavedToolRef>): Promise<null> {
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

export function findToolService({ config }: ToolServices, name: string): ToolService {
  const service = toolServices(config).find((one) => one.name === name);
  return service && service.fields.length > 0 ? service : invalid('There is nothing to fill in for this tool.');
}

/**
 * The values with those that are saved where none is given. A saved key goes to no other address than the one that it
 * was saved for: anyone who may not read a key cannot have it sent elsewhere either.
 * @throws Refusal `invalid_input`, `forbidden_base_url`
 */
export function checkedValues(
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
