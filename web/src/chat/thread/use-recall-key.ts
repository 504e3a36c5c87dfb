import { useEffect } from 'react';
import { composerId } from '../../slots/focus-composer.ts';
import { useSlotIndex } from '../../slots/slot.ts';

/** ArrowUp in an empty message box edits the last question. */
export function useRecallKey(): void {
  const index = useSlotIndex();
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent): void {
      const { target } = event;
      const isPlain = !event.isComposing && !event.shiftKey && !event.ctrlKey && !event.metaKey && !event.altKey;
      if (event.key !== 'ArrowUp' || !isPlain || !(target instanceof HTMLTextAreaElement)) return;
      if (target.id !== composerId(index) || target.value !== '') return;
      const edits = document.querySelectorAll<HTMLElement>('[role=log] [data-own] [data-action=edit]');
      const last = edits[edits.length - 1];
      if (!last) return;
      event.preventDefault();
      last.click();
    }
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [index]);
}
