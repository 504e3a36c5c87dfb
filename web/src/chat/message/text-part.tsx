import type { MessagePart } from '@parley/schema/messages/messages';
import { useMemo } from 'react';
import { LazyMarkdown } from '../../content/lazy-markdown.tsx';
import type { CitationMarks } from '../../content/citation-marks/citation-mark.tsx';
import { CitationChip } from '../../files/citations/citation-chip.tsx';
import { WebSourceChip } from '../../files/citations/web-source-chip.tsx';
import { webMarksIn, type WebSources } from '../../files/citations/web-sources.ts';

type Text = Extract<MessagePart, { type: 'text' }>;

interface TextPartProps {
  part: Text;
  /** The pages of the web that its marks may stand for. */
  sources?: WebSources | null;
  /** It may still grow. */
  isOpen: boolean;
}

/** A text of a reply. Its marks become chips once it is complete. */
export function TextPart({ part, sources = null, isOpen }: TextPartProps) {
  const marks = useMemo(() => (isOpen ? null : marksOf(part, sources)), [part, sources, isOpen]);
  return <LazyMarkdown text={part.text} streaming={isOpen} marks={marks} />;
}

function marksOf(part: Text, sources: WebSources | null): CitationMarks | null {
  const { citations = [] } = part;
  const pages = webMarksIn(part, sources);
  const offsets = [...citations, ...pages].map(({ at }) => at);
  if (offsets.length === 0) return null;
  return {
    offsets,
    draw: (index, mark) => {
      const citation = citations[index];
      if (citation) return <CitationChip citation={citation} mark={mark} />;
      const page = pages[index - citations.length];
      return page ? <WebSourceChip source={page.source} mark={mark} /> : mark;
    },
  };
}
