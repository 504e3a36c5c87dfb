import type { Chat } from '../../chat/use-chat.ts';
import { useSidePanel } from '../../side-panel/panel-state.ts';
import { useNarrowHeader } from './use-narrow-header.ts';

/** Whether the menu of the header has anything to offer; it keeps its place while a chat loads. */
export function useHasMore({ convo, path, loading }: Chat): boolean {
  const hasPanelRow = useHasPanelRow();
  const isNarrow = useNarrowHeader();
  return isNarrow || hasPanelRow || path.length > 0 || !!convo || loading.status === 'loading';
}

/** Whether the menu opens the side panel: nothing else on the screen does. */
export function useHasPanelRow(): boolean {
  const { isOff, isHidden } = useSidePanel();
  return isHidden && !isOff;
}
