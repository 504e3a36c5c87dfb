// What of a preset's settings is kept. A preset may come from another client, another server or an older version:
// whatever is not valid is the default, each by itself, and spoils no other.
import { cleanJson } from '@parley/schema/clean-text';
import { endpointTable, type EndpointType } from '@parley/schema/endpoints';
import { AgentOptions, type PresetSettings } from '@parley/schema/presets';
import { parseSettings } from '@parley/schema/settings';
import * as z from 'zod';

/** What clients of this API keep with a preset beside the parameters of its endpoint. */
const KEPT: Record<string, z.ZodType<PresetSettings[string]>> = {
  tools: z.array(z.string().min(1).max(256)).min(1).max(100),
  agentOptions: AgentOptions,
  assistant_id: z.string().min(1).max(256),
  iconURL: z.string().min(1).max(2048),
  resendImages: z.boolean(),
};

export function presetSettings(
  type: EndpointType,
  input: Readonly<Record<string, unknown>>,
  model: string | null,
): PresetSettings {
  const settings: PresetSettings = {};
  for (const name of Object.keys(endpointTable[type].params)) {
    try {
      Object.assign(settings, parseSettings(type, { [name]: input[name] }, model));
    } catch {
      continue;
    }
  }
  for (const [name, schema] of Object.entries(KEPT)) {
    const parsed = schema.safeParse(input[name]);
    if (parsed.success) settings[name] ??= cleanJson(parsed.data);
  }
  return settings;
}
