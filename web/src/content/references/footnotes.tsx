import { memo, type ReactNode } from 'react';
import classes from '../markdown.module.css';
import type { Footnote } from './references.ts';

interface FootnotesProps {
  footnotes: readonly Footnote[];
  /** Draws the text of a note. */
  draw: (text: string) => ReactNode;
}

/** The notes of an answer, below it. */
export function Footnotes({ footnotes, draw }: FootnotesProps) {
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

const Note = memo(function DrawnNote({ number, text, draw }: Footnote & Pick<FootnotesProps, 'draw'>) {
  return (
    <li value={number} dir="auto">
      {draw(text)}
    </li>
  );
});
