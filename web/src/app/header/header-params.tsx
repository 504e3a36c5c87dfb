import { ParamsButton } from '../../chat/header/params-button.tsx';
import type { Chat } from '../../chat/use-chat.ts';
import { useSidePanel } from '../../side-panel/panel-state.ts';
import { useHasPluginBar } from './use-has-plugin-bar.ts';
import { PluginBar } from '../../chat/plugin-bar/plugin-bar.tsx';

/** The parameters in the header, unless the strip beside the chat has their icon; for plugins, a bar of their own. */
export function HeaderParams({ chat }: { chat: Chat }) {
  const { isOpen, isNarrow, hasStrip } = useSidePanel();
  const hasPluginBar = useHasPluginBar(chat);
  const { modelTarget } = chat;
  if (hasPluginBar && modelTarget) {
    return <PluginBar chat={chat} modelTarget={modelTarget} isNarrowed={isOpen && !isNarrow} />;
  }
  return hasStrip ? null : <ParamsButton chat={chat} />;
}
