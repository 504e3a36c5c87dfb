import { useRef, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useCopied } from '../use-copied.ts';
import classes from './table.module.css';
import { tableCsv } from './table-csv.ts';
import { PlainButton } from '../../ui/primitives/plain-button.tsx';
import { ScrollRegion } from '../../ui/primitives/scroll-region.tsx';

/** A table, scrolled within the width of the message, and a button that copies it for a spreadsheet. */
export function Table({ children }: { children?: ReactNode }) {
  const { t } = useTranslation();
  const table = useRef<HTMLTableElement>(null);
  const { copied, copy } = useCopied();
  return (
    <div className={classes.frame}>
      <ScrollRegion className={classes.scroller} role="group" aria-label={t('com_content_table')} dir="auto">
        <table ref={table}>{children}</table>
      </ScrollRegion>
      <div className={classes.tools} data-control>
        <PlainButton className={classes.tool} onClick={() => table.current && copy(tableCsv(table.current))}>
          <span aria-live="polite">{copied ? t('com_content_copied') : t('com_content_copy_csv')}</span>
        </PlainButton>
      </div>
    </div>
  );
}
