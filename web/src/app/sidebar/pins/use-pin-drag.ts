import type { Convo } from '@parley/schema/convos/convos';
import { useState, type DragEvent } from 'react';
import { useArrangePins } from '../../../convos/actions/use-arrange-pins.ts';

/** Where a dragged row would stand: at the edge of this row. */
interface Drop {
  key: string;
  edge: 'before' | 'after';
}

/** A pinned row that is dragged over the pinned rows changes their order; the keyboard does it in the menu of a row. */
export function usePinDrag(pinned: readonly Convo[]) {
  const arrange = useArrangePins();
  const [dragged, setDragged] = useState<string | null>(null);
  const [drop, setDrop] = useState<Drop | null>(null);
  const indexOf = (key: string | null) => pinned.findIndex((one) => one.conversationId === key);

  function end(): void {
    setDragged(null);
    setDrop(null);
  }

  return {
    dropAt: (key: string) => (drop?.key === key ? drop.edge : undefined),
    /** For the list of the pinned rows. */
    handlers: {
      onDragStart({ target }: DragEvent) {
        const key = rowOf(target)?.key ?? null;
        // Later: a browser may end the drag where the page changes at its very start.
        if (indexOf(key) >= 0) setTimeout(() => setDragged(key));
      },
      onDragOver(event: DragEvent) {
        const row = dragged === null ? null : rowOf(event.target);
        if (!row) return;
        event.preventDefault();
        const { top, height } = row.element.getBoundingClientRect();
        const edge = event.clientY < top + height / 2 ? 'before' : 'after';
        if (drop?.key !== row.key || drop.edge !== edge) setDrop({ key: row.key, edge });
      },
      onDragLeave({ currentTarget, relatedTarget }: DragEvent) {
        if (!(relatedTarget instanceof Node) || !currentTarget.contains(relatedTarget)) setDrop(null);
      },
      onDrop(event: DragEvent) {
        const convo = pinned[indexOf(dragged)];
        if (convo && drop) {
          event.preventDefault();
          const [from, at] = [indexOf(dragged), indexOf(drop.key)];
          const gap = drop.edge === 'before' ? at : at + 1;
          arrange(convo, gap > from ? gap - 1 : gap);
        }
        end();
      },
      onDragEnd: end,
    },
  };
}

function rowOf(target: EventTarget): { key: string; element: Element } | null {
  const element = target instanceof Element ? target.closest('[data-key]') : null;
  const key = element?.getAttribute('data-key');
  return element && key ? { key, element } : null;
}
