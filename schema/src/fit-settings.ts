// Settings that hold for a model and say no more than they must.
import { isDefault, type Example, type Params, type Settings, type SettingValue } from './params.ts';

/** Whether an example says anything: one that is empty on both sides is left out, too. */
export function isFilled({ input, output }: Example): boolean {
  return input.content.trim() !== '' || output.content.trim() !== '';
}

/**
 * Settings as they hold for another model: what is above its maximum is lowered to it, and defaults and options that it
 * does not have are left out.
 */
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

/** The settings with one of them changed; undefined is the default. */
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
