import { useEffectEvent, useLayoutEffect } from 'react';

type PageEvents = DocumentEventMap & WindowEventMap;

interface ListenerOptions {
  /** The window hears an event that is captured before the document does, and otherwise after it. */
  target?: Document | Window;
  capture?: boolean;
  isOn?: boolean;
}

/** Hears each event of this type in the page while the component is shown and `isOn`. */
export function useEventListener<T extends keyof PageEvents>(
  type: T,
  listener: (event: PageEvents[T]) => unknown,
  { target = document, capture = false, isOn = true }: ListenerOptions = {},
): void {
  const latest = useEffectEvent(listener);
  // A layout effect: who sees the component may act before a passive effect runs.
  useLayoutEffect(() => {
    if (!isOn) return;
    const hear = (event: Event) => void latest(event as PageEvents[T]);
    target.addEventListener(type, hear, { capture });
    return () => target.removeEventListener(type, hear, { capture });
  }, [type, target, capture, isOn]);
}
