import type { Settings } from './params.ts';

/** Whether Bing is asked as Sydney, who has no guards. */
export function isJailbroken({ model, settings }: { model: string | null; settings: Settings }): boolean {
  return settings.jailbreak === true || model === 'Sydney';
}
