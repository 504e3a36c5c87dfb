import { useHotkeys } from '@mantine/hooks';
import { useNewChat } from './use-new-chat.ts';
import { useSidebar } from './use-sidebar.ts';

/** The keys that work wherever the focus is, so also in the composer. */
export function useShortcuts(): void {
  const newChat = useNewChat();
  const { toggle } = useSidebar();
  useHotkeys(
    [
      ['mod+shift+O', newChat],
      ['mod+shift+S', toggle],
    ],
    [],
  );
}
