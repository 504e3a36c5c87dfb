import { useEffect, useRef, useState } from 'react';

/** Follows a growing text or another value, at most once every `pause` milliseconds; 0 disables throttling. */
export function useThrottled<T>(text: T, pause: number): T {
  const [shown, setShown] = useState(text);
  const shownAt = useRef(0);
  if (pause === 0 && shown !== text) setShown(text);
  useEffect(() => {
    if (pause === 0 || shown === text) return;
    const timer = setTimeout(
      () => {
        shownAt.current = performance.now();
        setShown(text);
      },
      shownAt.current + pause - performance.now(),
    );
    return () => clearTimeout(timer);
  }, [text, shown, pause]);
  return pause === 0 ? text : shown;
}
