import { ParamsButton } from '../../chat/header/params-button.tsx';
import type { Chat } from '../../chat/use-chat.ts';
import { useActiveEntry } from '../../side-panel/panel-entries.ts';
import { useSidePanel } from '../../side-panel/panel-state.ts';
import { useHasPluginBar } from './use-has-plugin-bar.ts';
import { PluginBar } from '../../chat/plugin-bar/plugin-bar.tsx';

/** The parameters in the header, unless the open panel beside the chat shows them; for plugins, a bar of their own. */
export function HeaderParams({ chat }: { chat: Chat }) {
  const { isOpen, isNarrow } = useSidePanel();
  const { active } = useActiveEntry(chat);
  const hasPluginBar = useHasPluginBar(chat);
  const { modelTarget } = chat;
  const hasPanel = isOpen && !isNarrow;
  if (hasPluginBar && modelTarget) {
    return <PluginBar chat={chat} modelTarget={modelTarget} isNarrowed={hasPanel} />;
  }
  return hasPanel && active.name === 'parameters' ? null : <ParamsButton chat={chat} />;
}
