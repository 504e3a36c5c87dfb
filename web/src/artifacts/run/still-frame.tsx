import { useCallback, useEffect, useRef } from 'react';
import classes from '../artifact-view.module.css';

interface StillFrameProps {
  title: string;
  code: string;
  isSvg: boolean;
}

/** A page or picture in a frame that runs nothing and reaches nothing. */
export function StillFrame({ title, code, isSvg }: StillFrameProps) {
  const frame = useRef<HTMLIFrameElement>(null);
  // Its origin is none that could be named.
  const send = useCallback(() => frame.current?.contentWindow?.postMessage({ code, isSvg }, '*'), [code, isSvg]);
  // For changes after it has loaded.
  useEffect(() => void send(), [send]);
  return (
    <iframe
      ref={frame}
      className={classes.frame}
      title={title}
      src="/artifact/still.html"
      sandbox="allow-scripts"
      onLoad={send}
    />
  );
}
