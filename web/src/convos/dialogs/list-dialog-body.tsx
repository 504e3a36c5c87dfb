import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { BusyButton } from '../../ui/busy-button.tsx';
import classes from './list-dialog.module.css';
import { ListFailure } from '../list-failure.tsx';
import { SkeletonRows } from '../../ui/skeleton/skeleton-rows.tsx';

interface ListDialogBodyProps {
  query: UseInfiniteQueryResult<unknown>;
  /** The loaded rows. */
  count: number;
  empty: string;
  /** The way on from an empty list: a button. */
  next: ReactNode;
  children: ReactNode;
}

/** A paged list in a dialog, with its loading, empty and error states. */
export function ListDialogBody({ query, count, empty, next, children }: ListDialogBodyProps) {
  const { t } = useTranslation();
  if (query.isPending) return <SkeletonRows count={4} />;
  if (query.isLoadingError) return <ListFailure onRetry={() => void query.refetch()} />;
  if (count === 0 && !query.hasNextPage) {
    return (
      <div className={classes.empty}>
        <p>{empty}</p>
        {next}
      </div>
    );
  }
  return (
    <>
      <ul className={classes.list}>{children}</ul>
      {query.isFetchNextPageError && <ListFailure onRetry={() => void query.fetchNextPage()} />}
      {query.hasNextPage && !query.isFetchNextPageError && (
        <BusyButton
          className={classes.more}
          isBusy={query.isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
        >
          {t('com_ui_show_more_rows')}
        </BusyButton>
      )}
    </>
  );
}
