import { memo, use } from 'react';
import { CodeBlock } from './code-block.tsx';
import { Cursor } from './cursor.tsx';
import { readFence } from './fence.ts';
import classes from './markdown.module.css';
import { OpenBlock } from './open-block.ts';
import { parseFinished, parseOpen } from './parse.ts';
import { PictureFrameContext, PictureFrameView } from './picture-frame-view.tsx';
import { usePaced } from './use-paced.ts';

interface BlockProps {
  text: string;
  /** The last block of an answer that is being written. */
  open: boolean;
}

/** One top-level block of a message, drawn again only when its own text changes. */
export const Block = memo(function Block({ text, open }: BlockProps) {
  const shown = usePaced(text, open ? pauseFor(text.length) : 0);
  return (
    <div className={classes.block}>
      <BlockText text={shown} open={open} />
    </div>
  );
});

const UNPACED = 2_000;
const LONGEST_PAUSE_MS = 1_000;

/** A block is parsed as a whole; one that goes on for long is parsed less often the longer it gets. */
function pauseFor(length: number): number {
  return length <= UNPACED ? 0 : Math.min(length / 20, LONGEST_PAUSE_MS);
}

const BlockText = memo(function BlockText({ text, open }: BlockProps) {
  const frame = use(PictureFrameContext);
  if (!frame || !text.includes(frame.source) || isCode(text)) return <MarkdownText text={text} open={open} />;
  const [before = '', after = ''] = text.split(frame.source);
  return (
    <>
      {before.trim() !== '' && <MarkdownText text={before} open={false} />}
      <PictureFrameView address={frame.address} />
      {after.trim() !== '' && <MarkdownText text={after} open={false} />}
    </>
  );
});

/** A frame among code is talked about, not shown. */
function isCode(text: string): boolean {
  return text.includes('`') || text.includes('~~~') || /^(?: {4}|\t)/.test(text);
}

function MarkdownText({ text, open }: BlockProps) {
  const fence = readFence(text);
  if (fence) {
    const { code, language, closed } = fence;
    return <CodeBlock code={code} language={language} open={open && !closed} cursor={open} />;
  }
  const parsed = open ? parseOpen(text) : parseFinished(text);
  if (parsed) return <OpenBlock value={open}>{parsed}</OpenBlock>;
  return (
    <div className={classes.source} dir="auto">
      {text.trim()}
      {open && <Cursor />}
    </div>
  );
}
