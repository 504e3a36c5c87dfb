import { useEffect, useRef } from 'react';
import classes from './voice-bar.module.css';

/** How loud the last moments were, the newest at the end. */
const BARS = 120;
const TICK_MS = 80;
/** Speech at a usual distance fills the height. */
const GAIN = 6;

/** Drawn outside of React: it changes a dozen times a second. */
export function LevelMeter({ level }: { level: () => number }) {
  const meter = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const timer = setInterval(() => {
      const bars = meter.current;
      const first = bars?.firstElementChild;
      if (!bars || !(first instanceof HTMLElement)) return;
      first.style.setProperty('--level', String(Math.min(1, level() * GAIN)));
      bars.append(first);
    }, TICK_MS);
    return () => clearInterval(timer);
  }, [level]);
  return (
    <div ref={meter} className={classes.meter} aria-hidden>
      {Array.from({ length: BARS }, (_, bar) => (
        <span key={bar} />
      ))}
    </div>
  );
}
