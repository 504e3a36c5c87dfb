import { memo, use } from 'react';
import { LongWords } from '../ui/long-words.tsx';
import { Fence } from './code/code-block.tsx';
import { Cursor } from './cursor.tsx';
import { readFence } from './code/fence.ts';
import { withoutTags } from './citation-marks/tag-citation-marks.ts';
import classes from './markdown.module.css';
import { OpenBlockContext } from './open-block.ts';
import { parseFinished, parseOpen } from './parse.ts';
import { BingImageContext, BingImageFrame } from './bing-image/bing-image-frame.tsx';
import { useThrottled } from './use-throttled.ts';

interface BlockProps {
  text: string;
  /** The last block of a streaming answer. */
  open: boolean;
}

/** One top-level block of a message; it re-renders only when its own text changes. */
export const Block = memo(function Block({ text, open }: BlockProps) {
  const shown = useThrottled(text, open ? pauseFor(text.length) : 0);
  return (
    <div className={classes.block}>
      <BlockText text={shown} open={open} />
    </div>
  );
});

const UNPACED_CHARS_MAX = 2_000;
const LONGEST_PAUSE_MS = 1_000;

/** A block is parsed as a whole; the longer it gets, the less often it is parsed. */
function pauseFor(length: number): number {
  return length <= UNPACED_CHARS_MAX ? 0 : Math.min(length / 20, LONGEST_PAUSE_MS);
}

const BlockText = memo(function BlockText({ text, open }: BlockProps) {
  const frame = use(BingImageContext);
  if (!frame || !text.includes(frame.source) || isCode(text)) return <MarkdownText text={text} open={open} />;
  const [before = '', after = ''] = text.split(frame.source);
  return (
    <>
      {before.trim() !== '' && <MarkdownText text={before} open={false} />}
      <BingImageFrame address={frame.address} />
      {after.trim() !== '' && <MarkdownText text={after} open={false} />}
    </>
  );
});

/** An iframe inside code is text, not an image. */
function isCode(text: string): boolean {
  return text.includes('`') || text.includes('~~~') || /^(?: {4}|\t)/.test(text);
}

function MarkdownText({ text, open }: BlockProps) {
  const fence = readFence(withoutTags(text));
  if (fence) {
    const { code, language, info, closed } = fence;
    return <Fence code={code} language={language} info={info} open={open && !closed} cursor={open} />;
  }
  const parsed = open ? parseOpen(text) : parseFinished(text);
  if (parsed) return <OpenBlockContext value={open}>{parsed}</OpenBlockContext>;
  return (
    <div className={classes.source} dir="auto" data-source>
      <LongWords text={withoutTags(text).trim()} />
      {open && <Cursor />}
    </div>
  );
}
