import { useLayoutEffect, useRef } from 'react';
import { ScrollText } from './scroll-text.tsx';

/** Pixels from the end within which a reader still follows. */
const NEAR_END_PX = 24;

interface RunLogProps {
  text: string;
  /** Its accessible name. */
  label: string;
  isRunning: boolean;
}

/** What a program prints. While it runs, the newest line stays in view, unless its reader scrolls up. */
export function RunLog({ text, label, isRunning }: RunLogProps) {
  const frame = useRef<HTMLPreElement>(null);
  const follows = useRef(true);
  useLayoutEffect(() => {
    const element = frame.current;
    if (element && isRunning && follows.current) element.scrollTop = element.scrollHeight;
  }, [text, isRunning]);
  return (
    <ScrollText
      ref={frame}
      label={label}
      dir="ltr"
      onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
        follows.current = scrollHeight - scrollTop - clientHeight < NEAR_END_PX;
      }}
    >
      {text}
    </ScrollText>
  );
}
