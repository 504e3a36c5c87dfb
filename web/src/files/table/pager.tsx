import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/button.tsx';
import type { Page } from './arrange-files.ts';
import classes from './files-table.module.css';

interface PagerProps {
  page: Pick<Page<unknown>, 'index' | 'count'>;
  onPage: (index: number) => void;
}

/** Previous and next; nothing for a single page. */
export function Pager({ page: { index, count }, onPage }: PagerProps) {
  const { t } = useTranslation();
  if (count < 2) return null;
  return (
    <div className={classes.pager}>
      <span role="status">{t('com_files_page', { 0: index + 1, 1: count })}</span>
      <Button size="sm" disabled={index === 0} onClick={() => onPage(index - 1)}>
        {t('com_files_previous_page')}
      </Button>
      <Button size="sm" disabled={index === count - 1} onClick={() => onPage(index + 1)}>
        {t('com_files_next_page')}
      </Button>
    </div>
  );
}
