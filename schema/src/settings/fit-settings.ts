// Minimal settings that are valid for a model.
import { isDefault, type Example, type Params, type Settings, type SettingValue } from '../catalog/params.ts';

/** Settings of a chat that hold for every endpoint: whether its answers get what the account keeps for all chats. */
export const CHAT_SWITCHES = ['personal', 'memory'] as const;

/** Those that the chat decides by itself. The others are on, in temporary chats off. */
export function chatSwitches(settings: Readonly<Record<string, unknown>>): Settings {
  return Object.fromEntries(
    CHAT_SWITCHES.flatMap((name) => {
      const value = settings[name];
      return typeof value === 'boolean' ? [[name, value]] : [];
    }),
  );
}

/** Whether an example has text on either side; empty ones are left out. */
export function isFilled({ input, output }: Example): boolean {
  return input.content.trim() !== '' || output.content.trim() !== '';
}

/** Fits settings to another model: lowers values above its maximum, and drops defaults and options it does not have. */
export function fitToModel(params: Params, settings: Settings): Settings {
  const fitting = Object.entries(settings).flatMap(([name, value]): [string, SettingValue][] => {
    const param = params[name];
    const isAbove = param?.kind === 'slider' && param.isCapped && typeof value === 'number' && value > param.max;
    const fit = isAbove ? param.max : value;
    const isUnknown = param?.kind === 'choice' && !param.options.some((option) => option === value);
    return param && (isUnknown || isDefault(param, fit)) ? [] : [[name, fit]];
  });
  return Object.fromEntries(fitting);
}

/** Changes one setting; undefined is the default. */
export function withSetting(
  params: Params,
  settings: Settings,
  name: string,
  value: SettingValue | undefined,
): Settings {
  const { [name]: _before, ...rest } = settings;
  const param = params[name];
  return value === undefined || (param && isDefault(param, value)) ? rest : { ...rest, [name]: value };
}
