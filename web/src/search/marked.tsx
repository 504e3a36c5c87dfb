import type { TextPart } from '@parley/schema/search';
import classes from './marked.module.css';

/** A text in which what was searched for is marked. */
export function Marked({ parts }: { parts: readonly TextPart[] }) {
  return parts.map(({ text, isHit }, index) =>
    isHit ? (
      // The parts of a text stay what they are.
      // oxlint-disable-next-line react/no-array-index-key
      <mark key={index} className={classes.mark}>
        {text}
      </mark>
    ) : (
      text
    ),
  );
}
