// Tests of this room: tests/unit/web/content, tests/e2e/content.
import { memo, use, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { LongWords } from '../ui/long-words.tsx';
import { Fence } from './code/code-block.tsx';
import { Cursor } from './cursor.tsx';
import { readFence } from './code/fence.ts';
import { repairFences } from './fences/repair-fences.ts';
import { withoutTags } from './citation-marks/tag-citation-marks.ts';
import classes from './markdown.module.css';
import { LONG_BLOCK } from './long/cut-block.ts';
import { shortenImages } from './long/embedded-images.ts';
import { LongBlock, type DrawPiece, type Within } from './long/long-block.tsx';
import { OpenBlockContext } from './open-block.ts';
import { parseFinished, parseOpen } from './parse.ts';
import { LabelsContext } from './references/labels-context.ts';
import { definitionsFor, isFootnote } from './references/references.ts';
import { isTooDeep } from './split-blocks.ts';
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
  if (isFootnote(text)) return open && <Cursor />;
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

interface MarkdownTextProps extends BlockProps {
  within?: Within;
  start?: number;
}

function MarkdownText({ text: said, open, within = 'all', start = 0 }: MarkdownTextProps) {
  const { text } = repairFences(said, !open);
  const fence = within === 'all' ? readFence(withoutTags(text)) : undefined;
  if (fence) {
    const { code, language, info, closed } = fence;
    return <Fence code={code} language={language} info={info} open={open && !closed} cursor={open} />;
  }
  if (within === 'all' && isLong(text)) return <LongBlock text={text} open={open} draw={drawPiece} />;
  // Most blocks refer to nothing: they are not drawn again when the labels change.
  const definitions = text.includes('[') ? definitionsFor(text, use(LabelsContext)) : '';
  const parsed = (open ? parseOpen : parseFinished)(text, { definitions, within, start });
  if (parsed) return <OpenBlockContext value={open}>{parsed}</OpenBlockContext>;
  return <Unparsed text={text} open={open} within={within} />;
}

/** Draws a piece of a long block, or the text of a footnote. */
export const drawPiece: DrawPiece = (text, options) => <MarkdownText text={text} {...options} />;

/** A text nested too deep is shown as it is; pictures within the text do not make it long. */
function isLong(text: string): boolean {
  return text.length > LONG_BLOCK && shortenImages(text).text.length > LONG_BLOCK && !isTooDeep(text);
}

function Unparsed({ text, open, within = 'all' }: MarkdownTextProps): ReactNode {
  const { t } = useTranslation();
  const source = (
    <>
      <LongWords text={withoutTags(text).trim()} />
      {open && <Cursor />}
    </>
  );
  if (within === 'list') return <li data-source>{source}</li>;
  if (within !== 'all')
    return (
      <tr data-source>
        <td>{source}</td>
      </tr>
    );
  return (
    <>
      <div className={classes.source} dir="auto" data-source>
        {source}
      </div>
      <p className={classes.unparsed} data-control>
        {t('com_content_unformatted')}
      </p>
    </>
  );
}
