import '../../locales/load/files.ts';
import { IconFileText } from '@tabler/icons-react';
import type { Message } from '@parley/schema/messages/messages';
import { useId, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { CitationChip } from './citation-chip.tsx';
import { listSources, type Source } from './list-sources.ts';
import classes from './sources.module.css';

/** The cited files below an answer; nothing without any. */
export function Sources({ message: { parts } }: { message: Pick<Message, 'parts'> }) {
  const { t } = useTranslation();
  const titleId = useId();
  const sources = useMemo(() => listSources({ parts }), [parts]);
  if (sources.length === 0) return null;
  return (
    <section className={classes.sources} aria-labelledby={titleId}>
      <p id={titleId} className={classes.title}>
        {t('com_citations_sources')}
      </p>
      <ul className={classes.list}>
        {sources.map((source) => (
          <Row key={source.fileId} source={source} />
        ))}
      </ul>
    </section>
  );
}

function Row({ source: { name, pages, passages } }: { source: Source }) {
  const { t } = useTranslation();
  const [page, ...more] = pages;
  return (
    <li className={classes.source}>
      <IconFileText aria-hidden />
      <span className={classes.name} dir="auto" title={name}>
        {name}
      </span>
      {page !== undefined && (
        <span className={classes.pages}>
          {more.length === 0 ? t('com_citations_page', { 0: page }) : t('com_citations_pages', { 0: pages.join(', ') })}
        </span>
      )}
      <span className={classes.chips}>
        {passages.map(({ mark, citation }) => (
          <CitationChip key={`${mark} ${citation.n}`} citation={citation} mark={mark} />
        ))}
      </span>
    </li>
  );
}
