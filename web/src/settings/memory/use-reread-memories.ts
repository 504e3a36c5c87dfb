import { useOnChange } from '../../feed/use-on-change.ts';
import { trpc } from '../../trpc.ts';

/** Changes of other browsers, and of answers, come as those of settings. */
export function useRereadMemories(): void {
  const { memories, settings } = trpc.useUtils();
  useOnChange('settings', () => {
    void memories.list.invalidate();
    void settings.list.invalidate();
  });
}
