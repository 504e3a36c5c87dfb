import { useEffectEvent, useLayoutEffect, useRef } from 'react';
import classes from '../artifact-view.module.css';
import { runInFrame, type EndReason, type Program } from './frame-link.ts';
import type { FrameNews } from './frame-news.ts';

interface RunningFrameProps extends Program {
  title: string;
  onNews: (news: FrameNews) => void;
  /** The page has ended it. */
  onEnd: (reason: EndReason) => void;
  /** Whether it may run, now that it is known whether this browser keeps it from the network. */
  onReady: (isSealed: boolean) => boolean;
}

/** Runs an artifact, in a frame without an origin and without a network. It is stopped by being removed. */
export function RunningFrame({ title, code, kind, onNews, onEnd, onReady }: RunningFrameProps) {
  const frame = useRef<HTMLIFrameElement>(null);
  const hear = useEffectEvent(onNews);
  const end = useEffectEvent(onEnd);
  const allow = useEffectEvent(onReady);

  useLayoutEffect(() => {
    if (!frame.current) return undefined;
    return runInFrame(frame.current, { code, kind }, { onNews: hear, onEnd: end, onReady: allow }).close;
  }, [code, kind]);

  return (
    <iframe
      ref={frame}
      className={classes.frame}
      title={title}
      src="/artifact/frame.html"
      // A form reaches its handlers; no policy lets it be sent.
      sandbox="allow-scripts allow-forms"
    />
  );
}
