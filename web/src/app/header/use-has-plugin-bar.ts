import type { Chat } from '../../chat/use-chat.ts';
import { useStartup } from '../../startup.ts';

/** Whether a bar of plugins, with the parameters in it, stands in the header. */
export function useHasPluginBar({ modelTarget }: Pick<Chat, 'modelTarget'>): boolean {
  const usesTools = useStartup()?.toolsEnabled !== false;
  return usesTools && modelTarget?.endpointType === 'gptPlugins';
}
