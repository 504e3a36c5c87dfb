import { typedEntries } from '@parley/schema/entries';
import { boundKeys } from '../../layout/bound-keys.ts';
import { isPressed, type Shortcut } from '../../layout/shortcuts.ts';
import { useEventListener } from '../../ui/hooks/use-event-listener.ts';

/** Returns false when it does not want the key now; the browser then handles it. */
export type ShortcutAction = (event: KeyboardEvent) => boolean | void;

/** Calls the action of the shortcut that is pressed, wherever the focus is. */
export function useShortcutKeys(actions: Partial<Record<Shortcut, ShortcutAction>>): void {
  useEventListener('keydown', (event) => {
    for (const [name, act] of typedEntries(actions)) {
      if (!act || !isPressed(event, boundKeys(name))) continue;
      if (act(event) !== false) event.preventDefault();
      return;
    }
  });
}
