import type { Citation } from '@parley/schema/messages/messages';
import { useTranslation } from 'react-i18next';
import { citationPopover } from '../lazy-viewers.ts';
import { describePage } from './describe-pages.ts';
import { SourceChip } from './source-chip.tsx';

interface CitationChipProps {
  citation: Citation;
  /** As it stands in the answer, such as `[2]`. */
  mark: string;
}

/** The mark of a passage of a file; it opens the passage. */
export function CitationChip({ citation, mark }: CitationChipProps) {
  const { t } = useTranslation();
  const where = citation.page === null ? '' : `, ${describePage(citation.name, citation.page, t)}`;
  return (
    <SourceChip
      mark={mark}
      label={`${t('com_citations_source', { 0: mark.slice(1, -1), 1: citation.name })}${where}`}
      title={citation.name}
      preload={citationPopover.preload}
      draw={(end) => <citationPopover.Screen citation={citation} {...end} />}
    />
  );
}
