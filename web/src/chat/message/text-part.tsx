import type { Citation, MessagePart } from '@parley/schema/messages/messages';
import { useMemo } from 'react';
import { LazyMarkdown } from '../../content/lazy-markdown.tsx';
import type { Marks } from '../../content/marks/mark.tsx';
import { CitationChip } from '../../files/citations/citation-chip.tsx';

interface TextPartProps {
  part: Extract<MessagePart, { type: 'text' }>;
  /** It may still grow. */
  isOpen: boolean;
}

/** A text of a reply. Its marks become chips once it is complete. */
export function TextPart({ part: { text, citations }, isOpen }: TextPartProps) {
  const marks = useMemo(() => (citations && !isOpen ? marksOf(citations) : null), [citations, isOpen]);
  return <LazyMarkdown text={text} streaming={isOpen} marks={marks} />;
}

function marksOf(citations: readonly Citation[]): Marks {
  return {
    offsets: citations.map(({ at }) => at),
    draw: (index, mark) => {
      const citation = citations[index];
      return citation ? <CitationChip citation={citation} mark={mark} /> : mark;
    },
  };
}
