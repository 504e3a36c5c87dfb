import '../locales/load/pager.ts';
import { useTranslation } from 'react-i18next';
import type { Page } from '../lib/page-of.ts';
import { Button } from './button.tsx';
import classes from './pager.module.css';

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
      <span role="status">{t('com_ui_page', { 0: index + 1, 1: count })}</span>
      <Button type="button" size="sm" disabled={index === 0} onClick={() => onPage(index - 1)}>
        {t('com_ui_previous_page')}
      </Button>
      <Button type="button" size="sm" disabled={index === count - 1} onClick={() => onPage(index + 1)}>
        {t('com_ui_next_page')}
      </Button>
    </div>
  );
}
