// Tests of this room: tests/unit/schema.
import { endpointParams, type EndpointType } from '../catalog/endpoints.ts';
import {
  CHOSEN_TOOLS_MAX,
  isDefault,
  type AgentOptions,
  type Example,
  type Param,
  type Settings,
  type SettingValue,
} from '../catalog/params.ts';
import { asFields } from '../json.ts';
import { chatSwitches } from './fit-settings.ts';

/**
 * Adapts settings to another endpoint or model: drops unknown names, values of the wrong kind and defaults, and clamps
 * numbers to the allowed range. For settings that were valid elsewhere and for those a browser stored; `parseSettings`
 * checks what a user enters and reports what is wrong.
 */
export function carrySettings(
  type: EndpointType,
  model: string | null,
  settings: Readonly<Record<string, unknown>>,
): Settings {
  const fitting = Object.entries(endpointParams(type, model)).flatMap(([name, param]) => {
    const value = fit(param, settings[name]);
    return value === undefined || isDefault(param, value) ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(fitting), ...chatSwitches(settings) };
}

function fit(param: Param, value: unknown): SettingValue | undefined {
  switch (param.kind) {
    case 'slider':
      if (typeof value !== 'number' || Number.isNaN(value)) return undefined;
      return Math.min(param.max, Math.max(param.min, Number.isInteger(param.step) ? Math.round(value) : value));
    case 'toggle':
      return typeof value === 'boolean' ? value : undefined;
    case 'tags':
      return isTexts(value) ? value.slice(-param.max) : undefined;
    case 'choice':
      return typeof value === 'string' && param.options.includes(value) ? value : undefined;
    case 'text':
      return typeof value === 'string' ? value.slice(0, param.max) : undefined;
    case 'examples':
      return Array.isArray(value) ? value.filter(isExample) : undefined;
    case 'tools':
      return isTexts(value) ? value.slice(0, CHOSEN_TOOLS_MAX) : undefined;
    case 'agent':
      return isAgent(value) ? value : undefined;
    default:
      return param satisfies never;
  }
}

/** The server checks the rest. */
function isAgent(value: unknown): value is AgentOptions {
  return typeof Object(value).skipCompletion === 'boolean';
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function isExample(value: unknown): value is Example {
  const { input, output } = asFields(value);
  return [input, output].every((side) => typeof asFields(side).content === 'string');
}
