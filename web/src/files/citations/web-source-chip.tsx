import type { WebSource } from '@parley/schema/tools/web-sources';
import { useTranslation } from 'react-i18next';
import { webSourcePopover } from '../lazy-viewers.ts';
import { SourceChip } from './source-chip.tsx';
import { sourceTitle } from './web-sources.ts';

/** The mark of a page of the web; it opens what the search said of the page. */
export function WebSourceChip({ source, mark }: { source: WebSource; mark: string }) {
  const { t } = useTranslation();
  const title = sourceTitle(source);
  return (
    <SourceChip
      mark={mark}
      label={t('com_citations_source', { 0: mark.slice(1, -1), 1: title })}
      title={title}
      preload={webSourcePopover.preload}
      draw={(end) => <webSourcePopover.Screen source={source} {...end} />}
    />
  );
}
