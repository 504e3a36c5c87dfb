import type { Convo } from '@parley/schema/convos/convos';
import { useRef, useState, type DragEvent } from 'react';
import { useArrangePins } from '../../../convos/actions/use-arrange-pins.ts';

/** Where a dragged row would stand: at the edge of this row. */
interface Drop {
  key: string;
  edge: 'before' | 'after';
}

/** A pinned row that is dragged over the pinned rows changes their order; the keyboard does it in the menu of a row. */
export function usePinDrag(pinned: readonly Convo[]) {
  const arrange = useArrangePins();
  // Not shown, so not a state: a browser may end a drag where the page changes at its very start.
  const dragged = useRef<string | null>(null);
  const [drop, setDrop] = useState<Drop | null>(null);
  const indexOf = (key: string | null) => pinned.findIndex((one) => one.conversationId === key);

  function end(): void {
    dragged.current = null;
    setDrop(null);
  }

  return {
    dropAt: (key: string) => (drop?.key === key ? drop.edge : undefined),
    /** For the list of the pinned rows. */
    handlers: {
      onDragStart({ target }: DragEvent) {
        const key = rowOf(target)?.key ?? null;
        if (indexOf(key) >= 0) dragged.current = key;
      },
      onDragOver(event: DragEvent) {
        const place = dragged.current === null ? null : dropOf(event);
        if (!place) return;
        event.preventDefault();
        if (drop?.key !== place.key || drop.edge !== place.edge) setDrop(place);
      },
      onDragLeave({ currentTarget, relatedTarget }: DragEvent) {
        if (!(relatedTarget instanceof Node) || !currentTarget.contains(relatedTarget)) setDrop(null);
      },
      onDrop(event: DragEvent) {
        const from = indexOf(dragged.current);
        const convo = pinned[from];
        const place = dropOf(event);
        if (convo && place) {
          event.preventDefault();
          const at = indexOf(place.key);
          const gap = place.edge === 'before' ? at : at + 1;
          arrange(convo, gap > from ? gap - 1 : gap);
        }
        end();
      },
      onDragEnd: end,
    },
  };
}

function dropOf({ target, clientY }: DragEvent): Drop | null {
  const row = rowOf(target);
  if (!row) return null;
  const { top, height } = row.element.getBoundingClientRect();
  return { key: row.key, edge: clientY < top + height / 2 ? 'before' : 'after' };
}

function rowOf(target: EventTarget): { key: string; element: Element } | null {
  const element = target instanceof Element ? target.closest('[data-key]') : null;
  const key = element?.getAttribute('data-key');
  return element && key ? { key, element } : null;
}
