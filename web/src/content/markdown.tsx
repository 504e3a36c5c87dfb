import { startTransition, useEffect, useMemo, useRef, useState, memo, type ReactNode } from 'react';
import { splitBlocks, type Split } from './split-blocks.ts';
import { Cursor } from './cursor.tsx';
import classes from './markdown.module.css';
import { findBingImage } from './bing-image/find-bing-image.ts';
import { BingImageContext } from './bing-image/bing-image-frame.tsx';
import { CitationMarksContext, type CitationMarks } from './citation-marks/citation-mark.tsx';
import { tagCitationMarks, withoutTags } from './citation-marks/tag-citation-marks.ts';
import { LabelsContext } from './references/labels-context.ts';
import { drawPiece, Block } from './block.tsx';
import { useHeadingLevels, useHeadings } from './headings/use-heading-levels.ts';
import { LongWords } from '../ui/long-words.tsx';
import { InOrder } from '../ui/primitives/in-order.tsx';
import type { Footnote } from './references/references.ts';

const Note = memo(function DrawnNote({ number, text, draw }: Footnote & Pick<FootnotesProps, 'draw'>) {
  return (
    <li value={number} dir="auto">
      {draw(text)}
    </li>
  );
});

/**
 * A group of neighbouring blocks. React and the browser visit all children of a message on every change; with groups
 * there are few enough that a message of a thousand blocks grows as cheaply as one of ten.
 */
const BlockGroup = memo(function Group({ blocks, ready, settled, open }: BlockGroupProps) {
  const element = useRef<HTMLDivElement>(null);
  useHeadings(element);
  if (!ready)
    return (
      <div className={classes.pending} data-source>
        <LongWords text={withoutTags(blocks.join('')).trim()} />
      </div>
    );
  return (
    <div ref={element} className={classes.group} data-settled={settled || undefined}>
      <InOrder items={blocks}>
        {(text, index) => <Block text={text} open={open && index === blocks.length - 1} />}
      </InOrder>
    </div>
  );
}, isSameGroup);

export interface MarkdownProps {
  text: string;
  /** The text is still streaming; it only ever grows. */
  streaming: boolean;
  /** Only in a text that is complete. */
  marks?: CitationMarks | null;
}

/** A message's markdown, rendered block by block. */
export function Markdown({ text: said, streaming, marks = null }: MarkdownProps) {
  const text = useMemo(() => (marks ? tagCitationMarks(said, marks.offsets) : said), [said, marks]);
  const { blocks, references } = useSplit(text, !streaming);
  const groups = Math.ceil(blocks.length / BLOCKS_PER_GROUP);
  const { ready, readyFrom, settled } = useGradually(groups);
  const element = useRef<HTMLDivElement>(null);
  useHeadingLevels(element, `${blocks.length} ${ready} ${streaming}`);
  // While it streams, what will stand beside the iframe is unknown.
  const frame = useMemo(() => (streaming ? null : findBingImage(text)), [text, streaming]);
  return (
    <BingImageContext value={frame}>
      <CitationMarksContext value={marks}>
        <LabelsContext value={references.labels}>
          <div ref={element} className={classes.markdown} data-markdown>
            {Array.from({ length: Math.ceil(groups / GROUPS_PER_SECTION) }, (_, index) => {
              const first = index * GROUPS_PER_SECTION;
              const within = (count: number) => Math.min(Math.max(count - first, 0), GROUPS_PER_SECTION);
              return (
                <BlockSection
                  key={index}
                  blocks={blocks.slice(first * BLOCKS_PER_GROUP, (first + GROUPS_PER_SECTION) * BLOCKS_PER_GROUP)}
                  ready={within(ready)}
                  readyFrom={within(readyFrom)}
                  settled={within(settled)}
                  open={streaming && first + GROUPS_PER_SECTION >= groups}
                />
              );
            })}
            {streaming && groups === 0 && <Cursor />}
            <Footnotes footnotes={references.footnotes} draw={drawNote} />
          </div>
        </LabelsContext>
      </CitationMarksContext>
    </BingImageContext>
  );
}

function drawNote(text: string) {
  return drawPiece(text, { open: false });
}

function useSplit(text: string, isComplete: boolean): Split {
  const [split, setSplit] = useState(() => splitBlocks(null, text, isComplete));
  const next = splitBlocks(split, text, isComplete);
  if (next !== split) setSplit(next);
  return next;
}

const BLOCKS_AT_ENDS = 2;

/**
 * How many leading groups are ready, from which group on they are ready again, and how many are settled. Rendering a
 * long message at once would take seconds: its two ends render immediately, and the middle shows source and renders
 * group by group in steps that yield to input. New content renders immediately. A group is settled a step after it is
 * rendered: by then the browser has laid it out and knows its height, so that skipping it off screen moves nothing. For
 * that, at least one frame passes between two steps. What is rendered already is settled a section at a time: until then
 * every frame visits all of it.
 */
function useGradually(groups: number) {
  const [initial] = useState(groups);
  const [drawn, setDrawn] = useState(BLOCKS_AT_ENDS);
  const readyFrom = initial - BLOCKS_AT_ENDS;
  const behind = drawn < groups;
  useEffect(() => {
    if (!behind) return;
    const next = drawn < readyFrom ? drawn + 1 : Math.min(drawn + GROUPS_PER_SECTION, groups);
    const frame = requestAnimationFrame(() => startTransition(() => setDrawn(next)));
    return () => cancelAnimationFrame(frame);
  }, [behind, drawn, groups, readyFrom]);
  return { ready: drawn, readyFrom, settled: Math.min(drawn, groups) - BLOCKS_AT_ENDS };
}

/** Blocks in a group, and groups in a section. */
const BLOCKS_PER_GROUP = 8;
const GROUPS_PER_SECTION = 16;

interface BlockSectionProps {
  blocks: string[];
  /** The first `ready` groups and those from `readyFrom` on are rendered. */
  ready: number;
  readyFrom: number;
  /** The number of leading groups that are laid out and far from the end of the message. */
  settled: number;
  /** Its last block is still streaming. */
  open: boolean;
}

/** A section of neighbouring groups, for messages of thousands of blocks. */
const BlockSection = memo(function Section({ blocks, ready, readyFrom, settled, open }: BlockSectionProps) {
  const groups = Math.ceil(blocks.length / BLOCKS_PER_GROUP);
  return (
    <div className={classes.section} data-settled={settled === GROUPS_PER_SECTION || undefined}>
      {Array.from({ length: groups }, (_, index) => (
        <BlockGroup
          key={index}
          blocks={blocks.slice(index * BLOCKS_PER_GROUP, (index + 1) * BLOCKS_PER_GROUP)}
          ready={index < ready || index >= readyFrom}
          settled={index < settled}
          open={open && index === groups - 1}
        />
      ))}
    </div>
  );
}, isSameSection);

function isSameSection(before: BlockSectionProps, after: BlockSectionProps): boolean {
  if (before.ready !== after.ready || before.readyFrom !== after.readyFrom) return false;
  if (before.settled !== after.settled || before.open !== after.open) return false;
  if (before.blocks.length !== after.blocks.length) return false;
  return before.blocks.every((text, index) => text === after.blocks[index]);
}

interface BlockGroupProps {
  blocks: string[];
  /** Rendered, or shown as source for now. */
  ready: boolean;
  /** Laid out and far from the end: the browser may skip it while off screen. */
  settled: boolean;
  /** Its last block is still streaming. */
  open: boolean;
}

function isSameGroup(before: BlockGroupProps, after: BlockGroupProps): boolean {
  if (before.ready !== after.ready || before.settled !== after.settled || before.open !== after.open) return false;
  if (before.blocks.length !== after.blocks.length) return false;
  return before.blocks.every((text, index) => text === after.blocks[index]);
}

interface FootnotesProps {
  footnotes: readonly Footnote[];
  /** Draws the text of a note. */
  draw: (text: string) => ReactNode;
}

/** The notes of an answer, below it. */
function Footnotes({ footnotes, draw }: FootnotesProps) {
  if (footnotes.length === 0) return null;
  return (
    <div className={classes.block}>
      <section data-footnotes>
        <ol>
          {footnotes.map(({ number, text }) => (
            <Note key={number} number={number} text={text} draw={draw} />
          ))}
        </ol>
      </section>
    </div>
  );
}
