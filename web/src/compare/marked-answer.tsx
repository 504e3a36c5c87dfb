import type { Piece } from './differences.ts';
import classes from './columns.module.css';

/** The text of an answer, in which is marked what the other one does not say. */
export function MarkedAnswer({ paragraphs }: { paragraphs: readonly Piece[][] }) {
  return (
    <article className={classes.marked}>
      {paragraphs.map((pieces, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- a text has no other order than that of its words
        <p key={at} dir="auto">
          {pieces.map(({ text, isOnly }, place) => {
            const Tag = isOnly ? 'mark' : 'span';
            // oxlint-disable-next-line react/no-array-index-key -- the same
            return <Tag key={place}>{text}</Tag>;
          })}
        </p>
      ))}
    </article>
  );
}
