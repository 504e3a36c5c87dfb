import type { Settings } from './params.ts';

/** Whether Bing is used as Sydney, without its guards: by the model of this name, unless that is switched off. */
export function isJailbroken({ model, settings }: { model: string | null; settings: Settings }): boolean {
  return settings.jailbreak === undefined ? model === 'Sydney' : settings.jailbreak === true;
}
