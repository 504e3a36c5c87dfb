import { useTranslation } from 'react-i18next';
import { formatDateTime } from '../../lib/format-date.ts';
import { TextButton } from '../text-button/text-button.tsx';
import classes from './earlier-versions.module.css';

interface EarlierVersionsProps<Version> {
  /** The newest first; undefined until loaded. */
  versions: readonly Version[] | undefined;
  /** The number of the present one, which is not listed. */
  present: number;
  summary: (count: number) => string;
  /** Names the button that takes one. */
  take: string;
  onTake: (version: Version) => void;
}

/** What a text said before; one of them is taken into the form, where nothing is saved yet. */
export function EarlierVersions<Version extends { n: number; body: string; createdAt: string }>({
  versions = [],
  present,
  summary,
  take,
  onTake,
}: EarlierVersionsProps<Version>) {
  const { i18n } = useTranslation();
  const earlier = versions.filter(({ n }) => n < present);
  if (earlier.length === 0) return null;
  return (
    <details className={classes.versions}>
      <summary>{summary(earlier.length)}</summary>
      <ul>
        {earlier.map((version) => (
          <li key={version.n} className={classes.version}>
            <div>
              <span>{formatDateTime(version.createdAt, i18n.language)}</span>
              <p className={classes.excerpt} dir="auto">
                {version.body}
              </p>
            </div>
            <TextButton onClick={() => onTake(version)}>{take}</TextButton>
          </li>
        ))}
      </ul>
    </details>
  );
}
