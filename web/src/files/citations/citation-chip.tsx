import '../../locales/load/files.ts';
import type { Citation } from '@parley/schema/messages/messages';
import { useTranslation } from 'react-i18next';
import { lazyScreen } from '../../ui/lazy/lazy-screen.tsx';
import { describePage } from './describe-pages.ts';
import { SourceChip } from './source-chip.tsx';

const popover = lazyScreen(async () => (await import('./citation-popover.tsx')).CitationPopover, 'ahead');

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
      preload={popover.preload}
      draw={(end) => <popover.Screen citation={citation} {...end} />}
    />
  );
}
