import { i18n } from '../../i18n.ts';
import { boundKeys } from '../../layout/bound-keys.ts';
import { shownKeys, type Shortcut } from '../../layout/shortcuts.ts';
import { Toasts } from '../../ui/toast/toasts.tsx';
import { Tooltips } from '../../ui/tooltip/tooltips.tsx';

/** What any screen may show above itself. */
export function Overlays() {
  return (
    <>
      <Toasts />
      <Tooltips keysOf={shownKeysOf} />
    </>
  );
}

/** The elements have the names from `withKeys`. */
function shownKeysOf(shortcut: string): string {
  return shownKeys(boundKeys(shortcut as Shortcut), i18n.t);
}
