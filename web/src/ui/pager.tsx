import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Page } from '../lib/paginate.ts';
import { Button } from './button.tsx';
import classes from './pager.module.css';

interface PagerProps {
  page: Pick<Page<unknown>, 'index' | 'count'>;
  onPage: (index: number) => void;
}

/** Previous and next; nothing for a single page. At an end the button stays, so that it keeps the focus. */
export function Pager({ page: { index, count }, onPage }: PagerProps) {
  const { t } = useTranslation();
  if (count < 2) return null;
  return (
    <div className={classes.pager}>
      <span role="status">{t('com_ui_page', { 0: index + 1, 1: count })}</span>
      <Step isEnd={index === 0} onStep={() => onPage(index - 1)}>
        {t('com_ui_previous_page')}
      </Step>
      <Step isEnd={index === count - 1} onStep={() => onPage(index + 1)}>
        {t('com_ui_next_page')}
      </Step>
    </div>
  );
}

function Step({ isEnd, onStep, children }: { isEnd: boolean; onStep: () => void; children: ReactNode }) {
  return (
    <Button
      size="sm"
      className={classes.pageButton}
      aria-disabled={isEnd || undefined}
      onClick={() => !isEnd && onStep()}
    >
      {children}
    </Button>
  );
}
