import { createElement, startTransition, useEffect, useState, type ReactNode } from 'react';
import { Cursor } from './cursor.tsx';
import classes from './lazy-markdown.module.css';
import type { MarkdownProps } from './markdown.tsx';

type Draw = (props: MarkdownProps) => ReactNode;

/** The renderer once it is here. Not React.lazy: that shows its fallback for a moment even when the code is here. */
let draw: Draw | undefined;

/** Fetches the renderer ahead of its first use. A failure is forgotten: the next use tries again. */
export async function preloadMarkdown(): Promise<void> {
  await loadMarkdown();
}

/** The text of a message, as plain text until the renderer is here. */
export function LazyMarkdown({ text, streaming }: MarkdownProps) {
  const drawLoaded = useRenderer();
  if (drawLoaded) return drawLoaded({ text, streaming });
  return (
    <div className={classes.plain} dir="auto">
      {text}
      {streaming && <Cursor />}
    </div>
  );
}

function useRenderer(): Draw | undefined {
  const [loaded, setLoaded] = useState(() => draw);
  useEffect(() => {
    if (loaded) return;
    let gone = false;
    void loadMarkdown().then((arrived) => {
      if (!gone && arrived) startTransition(() => setLoaded(() => arrived));
    });
    return () => {
      gone = true;
    };
  }, [loaded]);
  return loaded;
}

async function loadMarkdown(): Promise<Draw | undefined> {
  if (draw) return draw;
  try {
    const { Markdown } = await import('./markdown.tsx');
    draw = (props) => createElement(Markdown, props);
  } catch {
    return undefined;
  }
  return draw;
}
