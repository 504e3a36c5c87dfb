import { useAtomValue } from 'jotai';
import { ParamsButton } from '../../chat/header/params-button.tsx';
import type { Chat } from '../../chat/use-chat.ts';
import { hideSidePanelAtom, useSidePanel } from '../../side-panel/panel-state.ts';
import { useHasPluginBar } from './use-has-plugin-bar.ts';
import { PluginBar } from '../../chat/plugin-bar/plugin-bar.tsx';

/** The parameters in the header, unless the open panel beside the chat shows them; for plugins, a bar of their own. */
export function HeaderParams({ chat }: { chat: Chat }) {
  const { isOpen, isNarrow } = useSidePanel();
  const isOff = useAtomValue(hideSidePanelAtom);
  const hasPluginBar = useHasPluginBar(chat);
  const { modelTarget } = chat;
  const hasPanel = isOpen && !isNarrow && !isOff;
  if (hasPluginBar && modelTarget) {
    return <PluginBar chat={chat} modelTarget={modelTarget} isNarrowed={hasPanel} />;
  }
  return hasPanel ? null : <ParamsButton chat={chat} />;
}
