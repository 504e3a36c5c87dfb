import { useState, type DragEvent } from 'react';
import { useMoveToFolder } from '../../../folders/use-folders.ts';
import { draggedConvoId, mayBeConvo } from './dragged-convo.ts';

/** A row that is dragged `from` the folders is dropped on what is no folder, which takes it out of its own. */
export function useDragOut() {
  const move = useMoveToFolder();
  const [state, setState] = useState<'none' | 'dragged' | 'over'>('none');
  const isOpen = state !== 'none';

  return {
    from: {
      onDragStart({ dataTransfer }: DragEvent) {
        // Later: a browser may end the drag where the page changes at its very start.
        if (mayBeConvo(dataTransfer)) setTimeout(() => setState('dragged'));
      },
      onDragEnd: () => setState('none'),
    },
    to: {
      'data-open': isOpen || undefined,
      'data-over': state === 'over' || undefined,
      onDragOver(event: DragEvent) {
        if (!isOpen) return;
        event.preventDefault();
        setState('over');
      },
      onDragLeave: () => isOpen && setState('dragged'),
      onDrop(event: DragEvent) {
        setState('none');
        const id = draggedConvoId(event.dataTransfer);
        if (!isOpen || id === null) return;
        event.preventDefault();
        move([id], null);
      },
    },
  };
}
