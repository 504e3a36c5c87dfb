import { memo } from 'react';
import { Block } from './block.tsx';
import classes from './markdown.module.css';

interface GroupProps {
  blocks: string[];
  /** Drawn, or shown as source for now. */
  ready: boolean;
  /** Has been laid out and is far from the end: the browser may skip it while it is out of sight. */
  settled: boolean;
  /** Its last block is the one that is being written. */
  open: boolean;
}

/**
 * Neighbouring blocks of a message. React and the browser each pass over a message's parts at every change; of groups
 * there are few enough for a message of a thousand blocks to grow as easily as one of ten.
 */
export const Group = memo(function Group({ blocks, ready, settled, open }: GroupProps) {
  if (!ready) return <div className={classes.pending}>{blocks.join('').trim()}</div>;
  return (
    <div className={classes.group} data-settled={settled || undefined}>
      {blocks.map((text, index) => (
        <Block key={index} text={text} open={open && index === blocks.length - 1} />
      ))}
    </div>
  );
}, isSameGroup);

function isSameGroup(before: GroupProps, after: GroupProps): boolean {
  if (before.ready !== after.ready || before.settled !== after.settled || before.open !== after.open) return false;
  if (before.blocks.length !== after.blocks.length) return false;
  return before.blocks.every((text, index) => text === after.blocks[index]);
}
