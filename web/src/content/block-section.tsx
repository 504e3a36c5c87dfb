import { memo } from 'react';
import { BlockGroup } from './block-group.tsx';
import classes from './markdown.module.css';

/** Blocks in a group, and groups in a section. */
export const BLOCKS_PER_GROUP = 8;
export const GROUPS_PER_SECTION = 16;

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
export const BlockSection = memo(function Section({ blocks, ready, readyFrom, settled, open }: BlockSectionProps) {
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
