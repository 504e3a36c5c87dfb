import { useRef, useState, type MouseEvent, type SyntheticEvent } from 'react';

/** What the panel shows. */
export type PluginView = 'plugins' | 'agent' | 'model';

/** The open view of the panel, and the buttons that open it. The button of the open view closes it. */
export function usePluginView() {
  const [view, setView] = useState<PluginView | null>(null);
  const opener = useRef<HTMLButtonElement>(null);

  /** Closes and restores the focus. */
  function close(): void {
    setView(null);
    opener.current?.focus({ preventScroll: true });
  }

  /** The click on a button changes the view, not the press before it. */
  function keepOpen(event: SyntheticEvent): void {
    if (view === null) return;
    event.stopPropagation();
    if (event.type === 'mousedown') event.preventDefault();
  }

  function buttonOf(own: PluginView) {
    return {
      'aria-haspopup': 'dialog',
      'aria-expanded': view === own,
      onMouseDown: keepOpen,
      onTouchStart: keepOpen,
      onClick: ({ currentTarget }: MouseEvent<HTMLButtonElement>) => {
        opener.current = currentTarget;
        if (view === own) close();
        else setView(own);
      },
    } as const;
  }

  return { view, setView, close, leave: () => setView(null), buttonOf };
}
