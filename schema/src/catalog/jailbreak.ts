import type { Settings } from './params.ts';

/** Whether Bing is used as Sydney, without its guards. */
export function isJailbroken({ model, settings }: { model: string | null; settings: Settings }): boolean {
  return settings.jailbreak === true || model === 'Sydney';
}
