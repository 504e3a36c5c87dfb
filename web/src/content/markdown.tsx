import './lazy-words.ts';
import { startTransition, useEffect, useMemo, useState } from 'react';
import { splitBlocks, type Split } from './blocks.ts';
import { Cursor } from './cursor.tsx';
import classes from './markdown.module.css';
import { findPictureFrame } from './picture-frame.ts';
import { PictureFrameContext } from './picture-frame-view.tsx';
import { definesReferences } from './references.ts';
import { GROUP, GROUPS, Section } from './section.tsx';

export interface MarkdownProps {
  text: string;
  /** More of the text is coming; it only ever grows. */
  streaming: boolean;
}

/** The text of a message, drawn from its markdown block by block. */
export function Markdown({ text, streaming }: MarkdownProps) {
  const blocks = useBlocks(text, streaming);
  const groups = Math.ceil(blocks.length / GROUP);
  const { ready, readyFrom, settled } = useGradually(groups);
  // While it is being written nobody knows what will stand beside it.
  const frame = useMemo(() => (streaming ? null : findPictureFrame(text)), [text, streaming]);
  return (
    <PictureFrameContext value={frame}>
      <div className={classes.markdown}>
        {Array.from({ length: Math.ceil(groups / GROUPS) }, (_, index) => {
          const first = index * GROUPS;
          const within = (count: number) => Math.min(Math.max(count - first, 0), GROUPS);
          return (
            <Section
              key={index}
              blocks={blocks.slice(first * GROUP, (first + GROUPS) * GROUP)}
              ready={within(ready)}
              readyFrom={within(readyFrom)}
              settled={within(settled)}
              open={streaming && first + GROUPS >= groups}
            />
          );
        })}
        {streaming && groups === 0 && <Cursor />}
      </div>
    </PictureFrameContext>
  );
}

/** Blocks tied together by reference links or footnotes are one block, once the answer is complete. */
function useBlocks(text: string, streaming: boolean): string[] {
  const { blocks } = useSplit(text);
  const whole = useMemo(() => !streaming && definesReferences(text), [text, streaming]);
  return useMemo(() => (whole ? [text] : blocks), [whole, text, blocks]);
}

function useSplit(text: string): Split {
  const [split, setSplit] = useState(() => splitBlocks(null, text));
  const next = splitBlocks(split, text);
  if (next !== split) setSplit(next);
  return next;
}

const ENDS = 2;

/**
 * How many groups are ready from the start and from which one on they are again, and how many are settled.
 * A long message that is there from the start would take seconds in one go: its two ends are drawn at once, between
 * them stands the source and is drawn group by group in steps that give way to the reader. What comes later is drawn at
 * once. A group counts as settled some steps later: by then the browser has laid it out and knows its height, so that
 * nothing moves when it is skipped out of sight. At least one frame lies between two steps, for that reason.
 */
function useGradually(groups: number) {
  const [initial] = useState(groups);
  const [drawn, setDrawn] = useState(ENDS);
  const behind = drawn < groups;
  useEffect(() => {
    if (!behind) return;
    const frame = requestAnimationFrame(() => startTransition(() => setDrawn(drawn + 1)));
    return () => cancelAnimationFrame(frame);
  }, [behind, drawn]);
  return { ready: drawn, readyFrom: initial - ENDS, settled: Math.min(drawn, groups) - ENDS };
}
