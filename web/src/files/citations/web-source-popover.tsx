import { IconExternalLink } from '@tabler/icons-react';
import type { WebSource } from '@parley/schema/tools/web-sources';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { buttonClasses } from '../../ui/button-classes.ts';
import classes from './citation-popover.module.css';
import type { PopoverEnd } from './source-chip.tsx';
import { SourcePopover } from './source-popover.tsx';
import { webHost, sourceTitle } from './web-sources.ts';

/** What a search said of a page, and the way to it. */
export function WebSourcePopover({ source, ...end }: PopoverEnd & { source: WebSource }) {
  const { t } = useTranslation();
  const titleId = useId();
  return (
    <SourcePopover titleId={titleId} {...end}>
      <h2 id={titleId} className={classes.title} dir="auto">
        {sourceTitle(source)}
      </h2>
      <p className={classes.location}>
        <bdi>{webHost(source.url)}</bdi>
      </p>
      {source.snippet && (
        <blockquote className={classes.quote} dir="auto">
          {source.snippet}
        </blockquote>
      )}
      <a
        className={buttonClasses({ size: 'sm' }, classes.open)}
        href={source.url}
        target="_blank"
        rel="noopener noreferrer nofollow"
      >
        <IconExternalLink aria-hidden />
        {t('com_citations_open_page')}
      </a>
    </SourcePopover>
  );
}
