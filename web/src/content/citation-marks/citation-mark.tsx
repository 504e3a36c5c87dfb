import { createContext, use, type ReactNode } from 'react';

export interface CitationMarks {
  /** Where they begin in the text, in UTF-16 units. */
  offsets: readonly number[];
  /** What stands for the mark at `offsets[index]`; `mark` is its text, such as `[2]`. */
  draw(index: number, mark: string): ReactNode;
}

/** The marks of the surrounding message; null if it has none. */
export const CitationMarksContext = createContext<CitationMarks | null>(null);

/** A mark in rendered Markdown. */
export function CitationMark({ index, children }: { index: number; children?: ReactNode }) {
  const marks = use(CitationMarksContext);
  if (!marks || typeof children !== 'string' || !(index in marks.offsets)) return children;
  return marks.draw(index, children);
}
