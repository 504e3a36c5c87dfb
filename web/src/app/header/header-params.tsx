import { useAtomValue } from 'jotai';
import { ParamsButton } from '../../chat/header/params-button.tsx';
import type { Chat } from '../../chat/use-chat.ts';
import { hideSidePanelAtom, useSidePanel } from '../../side-panel/panel-state.ts';

/** The parameters in the header, unless the open panel beside the chat shows them. */
export function HeaderParams({ chat }: { chat: Chat }) {
  const { isOpen, isNarrow } = useSidePanel();
  const isOff = useAtomValue(hideSidePanelAtom);
  return isOpen && !isNarrow && !isOff ? null : <ParamsButton chat={chat} />;
}
