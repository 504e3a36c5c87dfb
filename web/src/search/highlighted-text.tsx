import type { TextPart } from '@parley/schema/search/search';
import classes from './highlighted-text.module.css';
import { InOrder } from '../ui/primitives/in-order.tsx';

/** A text with the search matches marked. */
export function HighlightedText({ parts }: { parts: readonly TextPart[] }) {
  return (
    <InOrder items={parts}>
      {({ text, isHit }) => (isHit ? <mark className={classes.match}>{text}</mark> : text)}
    </InOrder>
  );
}
