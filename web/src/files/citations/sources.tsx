import { IconFileText, IconWorld } from '@tabler/icons-react';
import type { Message } from '@parley/schema/messages/messages';
import { useId, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { CitationChip } from './citation-chip.tsx';
import { describePages } from './describe-pages.ts';
import { useShowCited } from '../open-file.ts';
import { listSources, type Source } from './list-sources.ts';
import { webHost, listPages, sourceTitle, type CitedPage } from './web-sources.ts';
import { WebSourceChip } from './web-source-chip.tsx';
import classes from './sources.module.css';

/** The cited files and pages below an answer; nothing without any. */
export function Sources({ message: { parts } }: { message: Pick<Message, 'parts'> }) {
  const { t } = useTranslation();
  const titleId = useId();
  const sources = useMemo(() => listSources({ parts }), [parts]);
  const pages = useMemo(() => listPages({ parts }), [parts]);
  if (sources.length === 0 && pages.length === 0) return null;
  return (
    <section className={classes.sources} aria-labelledby={titleId}>
      <p id={titleId} className={classes.title}>
        {t('com_citations_sources')}
      </p>
      <ul className={classes.list}>
        {sources.map((source) => (
          <Row key={source.fileId} source={source} />
        ))}
        {pages.map((page) => (
          <PageRow key={page.source.url} page={page} />
        ))}
      </ul>
    </section>
  );
}

function Row({ source: { name, pages, passages } }: { source: Source }) {
  const { t, i18n } = useTranslation();
  const show = useShowCited();
  const position = describePages(name, pages, t, i18n.language);
  const [first] = passages;
  return (
    <li className={classes.source}>
      <IconFileText aria-hidden />
      <button
        type="button"
        className={classes.name}
        dir="auto"
        data-tooltip={name}
        data-cut
        data-content
        onClick={() => first && show(first.citation)}
      >
        {name}
      </button>
      {position !== null && <span className={classes.pages}>{position}</span>}
      <span className={classes.chips}>
        {passages.map(({ mark, citation }) => (
          <CitationChip key={`${mark} ${citation.n}`} citation={citation} mark={mark} />
        ))}
      </span>
    </li>
  );
}

function PageRow({ page: { source, marks } }: { page: CitedPage }) {
  const title = sourceTitle(source);
  const host = webHost(source.url);
  return (
    <li className={classes.source}>
      <IconWorld aria-hidden />
      <a
        className={classes.name}
        dir="auto"
        data-tooltip={title}
        data-cut
        href={source.url}
        target="_blank"
        rel="noopener noreferrer nofollow"
      >
        {title}
      </a>
      {host !== title && <bdi className={classes.host}>{host}</bdi>}
      <span className={classes.chips}>
        {marks.map((mark) => (
          <WebSourceChip key={mark} source={source} mark={mark} />
        ))}
      </span>
    </li>
  );
}
