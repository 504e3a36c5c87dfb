import type { TextPart } from '@parley/schema/search/search';
import classes from './highlighted-text.module.css';

/** A text with the search matches marked. */
export function HighlightedText({ parts }: { parts: readonly TextPart[] }) {
  return parts.map(({ text, isHit }, index) =>
    isHit ? (
      // The parts of a text never reorder.
      // oxlint-disable-next-line react/no-array-index-key
      <mark key={index} className={classes.match}>
        {text}
      </mark>
    ) : (
      text
    ),
  );
}
