// Validates a preset's settings. A preset may come from another client, another server or an older version: each
// invalid value falls back to its default without affecting the others.
import { cleanJson } from '@parley/schema/clean-text';
import { endpointTable, type EndpointType } from '@parley/schema/catalog/endpoints';
import { AgentOptions, type PresetSettings } from '@parley/schema/settings/presets';
import { KEPT_FIELDS, parseSettings } from '@parley/schema/settings/settings';
import * as z from 'zod';

const toolKey = z.string().min(1).max(256);

/** Fields that REST clients save with a preset beside the endpoint's parameters. */
const KEPT: Record<string, z.ZodType<PresetSettings[string]>> = {
  /** Sent back whole, as conversations have them. */
  tools: z
    .array(z.union([toolKey, z.object({ pluginKey: toolKey }).transform(({ pluginKey }) => pluginKey)]))
    .min(1)
    .max(100),
  agentOptions: AgentOptions,
  assistant_id: z.string().min(1).max(256),
  resendImages: z.boolean(),
  personal: z.boolean(),
};

export function presetSettings(
  type: EndpointType,
  input: Readonly<Record<string, unknown>>,
  model: string | null,
): PresetSettings {
  const settings: PresetSettings = {};
  for (const name of [...Object.keys(endpointTable[type].params), ...KEPT_FIELDS]) {
    try {
      Object.assign(settings, parseSettings(type, { [name]: input[name] }, model));
    } catch {
      continue;
    }
  }
  for (const [name, schema] of Object.entries(KEPT)) {
    if (name in endpointTable[type].params) continue;
    const parsed = schema.safeParse(input[name]);
    if (parsed.success) settings[name] ??= cleanJson(parsed.data);
  }
  return settings;
}
