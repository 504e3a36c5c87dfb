import { useLayoutEffect, useState, useTransition } from 'react';

/**
 * Renders the latest value in a transition: a key press interrupts it, and the previous value stays until it completes.
 * Completes one render before it starts the next. Without `isDeferred` the value renders at once.
 */
export function useDeferred<T>(value: T, isDeferred: boolean): T {
  const [shown, setShown] = useState(value);
  const [isDrawing, draw] = useTransition();
  if (!isDeferred && shown !== value) setShown(value);
  useLayoutEffect(() => {
    if (isDeferred && !isDrawing && shown !== value) draw(() => setShown(value));
  }, [isDeferred, isDrawing, shown, value]);
  return isDeferred ? shown : value;
}
