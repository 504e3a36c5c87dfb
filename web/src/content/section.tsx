import { memo } from 'react';
import { Group } from './group.tsx';
import classes from './markdown.module.css';

/** Blocks in a group, and groups in a section. */
export const GROUP = 8;
export const GROUPS = 16;

interface SectionProps {
  blocks: string[];
  /** So many groups from the start are drawn, and those from `readyFrom` on. */
  ready: number;
  readyFrom: number;
  /** So many groups from the start have been laid out and are far from the end of the message. */
  settled: number;
  /** Its last block is the one that is being written. */
  open: boolean;
}

/** Neighbouring groups: what a group is to blocks, for messages of thousands of them. */
export const Section = memo(function Section({ blocks, ready, readyFrom, settled, open }: SectionProps) {
  const groups = Math.ceil(blocks.length / GROUP);
  return (
    <div className={classes.section} data-settled={settled === GROUPS || undefined}>
      {Array.from({ length: groups }, (_, index) => (
        <Group
          key={index}
          blocks={blocks.slice(index * GROUP, (index + 1) * GROUP)}
          ready={index < ready || index >= readyFrom}
          settled={index < settled}
          open={open && index === groups - 1}
        />
      ))}
    </div>
  );
}, isSameSection);

function isSameSection(before: SectionProps, after: SectionProps): boolean {
  if (before.ready !== after.ready || before.readyFrom !== after.readyFrom) return false;
  if (before.settled !== after.settled || before.open !== after.open) return false;
  if (before.blocks.length !== after.blocks.length) return false;
  return before.blocks.every((text, index) => text === after.blocks[index]);
}
