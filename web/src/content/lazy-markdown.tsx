import { createElement, startTransition, useEffect, useState, type ReactNode } from 'react';
import { LongWords } from '../ui/long-words.tsx';
import { Cursor } from './cursor.tsx';
import classes from './lazy-markdown.module.css';
import type { MarkdownProps } from './markdown.tsx';

type Draw = (props: MarkdownProps) => ReactNode;

/** The renderer once loaded. Not React.lazy, which shows its fallback briefly even when the code is loaded. */
let draw: Draw | undefined;

/** Preloads the renderer. After a failure the next use tries again. */
export async function preloadMarkdown(): Promise<void> {
  await loadMarkdown();
}

/** The text of a message, as plain text until the renderer loads. */
export function LazyMarkdown(props: MarkdownProps) {
  const { text, streaming } = props;
  const drawLoaded = useRenderer();
  if (drawLoaded) return drawLoaded(props);
  return (
    <div className={classes.plain} dir="auto">
      <LongWords text={text} />
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
