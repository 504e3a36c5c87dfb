import { startTransition, useEffect, useMemo, useState } from 'react';
import { splitBlocks, type Split } from './blocks.ts';
import { Cursor } from './cursor.tsx';
import { Group } from './group.tsx';
import classes from './markdown.module.css';
import { definesReferences } from './references.ts';

export interface MarkdownProps {
  text: string;
  /** More of the text is coming; it only ever grows. */
  streaming: boolean;
}

/** Blocks that are drawn, skipped and compared together. */
const GROUP = 8;

/** The text of a message, drawn from its markdown block by block. */
export function Markdown({ text, streaming }: MarkdownProps) {
  const blocks = useBlocks(text, streaming);
  const groups = Math.ceil(blocks.length / GROUP);
  const { isReady, isSettled } = useGradually(groups);
  return (
    <div className={classes.markdown}>
      {Array.from({ length: groups }, (_, index) => (
        <Group
          key={index}
          blocks={blocks.slice(index * GROUP, (index + 1) * GROUP)}
          ready={isReady(index)}
          settled={isSettled(index)}
          open={streaming && index === groups - 1}
        />
      ))}
      {streaming && groups === 0 && <Cursor />}
    </div>
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
  return {
    isReady: (index: number) => index < drawn || index >= initial - ENDS,
    isSettled: (index: number) => index < drawn - ENDS && index < groups - ENDS,
  };
}
