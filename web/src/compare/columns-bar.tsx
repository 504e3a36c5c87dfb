import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './columns.module.css';

interface ColumnsBarProps {
  names: readonly string[];
  /** The column on screen where there is room for one. */
  seen: number;
  onSee: (at: number) => void;
  /** What can be done with all of them. */
  children: ReactNode;
}

/** Above the columns: their tabs where there is room for one, and what can be done with all. */
export function ColumnsBar({ names, seen, onSee, children }: ColumnsBarProps) {
  const { t } = useTranslation();
  return (
    <div className={classes.bar}>
      <div className={classes.tabs} role="tablist" aria-label={t('com_compare_columns')}>
        {names.map((name, at) => (
          <button
            // oxlint-disable-next-line react/no-array-index-key -- two may have one name
            key={at}
            type="button"
            role="tab"
            aria-selected={at === seen}
            className={classes.tab}
            onClick={() => onSee(at)}
          >
            <span dir="auto">{name}</span>
          </button>
        ))}
      </div>
      <div className={classes.acts}>{children}</div>
    </div>
  );
}
