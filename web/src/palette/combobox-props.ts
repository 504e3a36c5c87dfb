// Tests of this room: tests/unit/web/search/palette.test.ts, tests/e2e/search/palette.test.ts.
import type { KeyboardEvent } from 'react';
import { optionId, type PaletteEntry } from './palette-entry.ts';

/** Of the field above a list of entries: it keeps the focus, and its keys move in the list. */
export function comboboxProps(listId: string, active: PaletteEntry | undefined, step: (key: string) => boolean) {
  return {
    role: 'combobox',
    'aria-expanded': true,
    'aria-controls': listId,
    'aria-activedescendant': active && optionId(listId, active),
    'aria-autocomplete': 'list',
    onKeyDown(event: KeyboardEvent): void {
      if (event.nativeEvent.isComposing) return;
      if (event.key === 'Enter') active?.run();
      else if (!step(event.key)) return;
      event.preventDefault();
    },
  } as const;
}
