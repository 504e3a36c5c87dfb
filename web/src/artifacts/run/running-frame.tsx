import type { ArtifactKind } from '@parley/schema/artifacts/artifact-kind';
import { useEffectEvent, useLayoutEffect, useRef } from 'react';
import classes from '../artifact-view.module.css';
import { readNews, type FrameNews } from './frame-news.ts';
import { createNewsGate } from './news-gate.ts';

interface RunningFrameProps {
  title: string;
  code: string;
  kind: ArtifactKind;
  onNews: (news: FrameNews) => void;
  /** It answers nothing any more. */
  onSilence: () => void;
}

/** Milliseconds between two questions whether it still answers, and without an answer until it counts as stuck. */
const PING_MS = 1_000;
const SILENCE_MS = 5_000;
/** Runs an artifact, in a frame without an origin and without a network. It is stopped by being removed. */
export function RunningFrame({ title, code, kind, onNews, onSilence }: RunningFrameProps) {
  const frame = useRef<HTMLIFrameElement>(null);
  const hear = useEffectEvent(onNews);
  const fallSilent = useEffectEvent(onSilence);

  useLayoutEffect(() => {
    let heardAt = performance.now();
    const gate = createNewsGate();
    const listen = ({ source, data }: MessageEvent) => {
      if (source === null || source !== frame.current?.contentWindow) return;
      heardAt = performance.now();
      const fate = gate.take(heardAt);
      if (fate === 'flood') end();
      const news = fate === 'hear' ? readNews(data) : null;
      // A program cannot move the focus that is elsewhere.
      if (news && (news.state !== 'left' || document.activeElement === frame.current)) hear(news);
    };
    const timer = setInterval(() => {
      // What the browser has put to sleep does not answer.
      if (document.hidden) heardAt = performance.now();
      if (performance.now() - heardAt > SILENCE_MS) end();
      frame.current?.contentWindow?.postMessage({ ping: true }, '*');
    }, PING_MS);
    window.addEventListener('message', listen);
    return ignore;

    function ignore(): void {
      clearInterval(timer);
      window.removeEventListener('message', listen);
    }

    /** What it has sent already would otherwise be heard until it is gone. */
    function end(): void {
      ignore();
      fallSilent();
    }
  }, []);

  return (
    <iframe
      ref={frame}
      className={classes.frame}
      title={title}
      src="/artifact/frame.html"
      sandbox="allow-scripts allow-forms"
      // Its origin is none that could be named.
      onLoad={() => frame.current?.contentWindow?.postMessage({ code, kind }, '*')}
    />
  );
}
