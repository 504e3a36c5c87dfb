// Tests of this room: tests/unit/web/content, tests/e2e/content.
import { memo, useRef } from 'react';
import { LongWords } from '../ui/long-words.tsx';
import { Block } from './block.tsx';
import { withoutTags } from './citation-marks/tag-citation-marks.ts';
import { useHeadings } from './headings/use-heading-levels.ts';
import classes from './markdown.module.css';
import { InOrder } from '../ui/primitives/in-order.tsx';

interface BlockGroupProps {
  blocks: string[];
  /** Rendered, or shown as source for now. */
  ready: boolean;
  /** Laid out and far from the end: the browser may skip it while off screen. */
  settled: boolean;
  /** Its last block is still streaming. */
  open: boolean;
}

/**
 * A group of neighbouring blocks. React and the browser visit all children of a message on every change; with groups
 * there are few enough that a message of a thousand blocks grows as cheaply as one of ten.
 */
export const BlockGroup = memo(function Group({ blocks, ready, settled, open }: BlockGroupProps) {
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

function isSameGroup(before: BlockGroupProps, after: BlockGroupProps): boolean {
  if (before.ready !== after.ready || before.settled !== after.settled || before.open !== after.open) return false;
  if (before.blocks.length !== after.blocks.length) return false;
  return before.blocks.every((text, index) => text === after.blocks[index]);
}
