import { useLayoutEffect, useState, useTransition } from 'react';

/**
 * The newest of the values that come, drawn when nothing more urgent is to be done: a key that is pressed meanwhile comes
 * first, and the value before stands until then. One is drawn to its end before the next. Not calm: at once.
 */
export function useCalm<T>(value: T, isCalm: boolean): T {
  const [shown, setShown] = useState(value);
  const [isDrawing, draw] = useTransition();
  if (!isCalm && shown !== value) setShown(value);
  useLayoutEffect(() => {
    if (isCalm && !isDrawing && shown !== value) draw(() => setShown(value));
  }, [isCalm, isDrawing, shown, value]);
  return isCalm ? shown : value;
}
