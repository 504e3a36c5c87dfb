import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { findLinks } from './find-links.ts';
import classes from './link-list.module.css';

/** More are folded. */
const SHOWN_MAX = 5;

/** Where a page or picture leads to, with the whole host of each: nothing in its frame can be followed. */
export function LinkList({ source }: { source: string }) {
  const { t } = useTranslation();
  const links = useMemo(() => findLinks(source), [source]);
  if (links.length === 0) return null;
  return (
    <details className={classes.links} open={links.length <= SHOWN_MAX}>
      <summary>{t('com_artifact_links', { 0: links.length })}</summary>
      <ul>
        {links.map(({ href, text, host }) => (
          <li key={href}>
            <a href={href} target="_blank" rel="noopener noreferrer nofollow">
              {text !== '' && <bdi>{text}</bdi>}
              <bdi className={classes.host}>{host}</bdi>
            </a>
          </li>
        ))}
      </ul>
    </details>
  );
}
