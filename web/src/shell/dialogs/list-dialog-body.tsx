import '../convos/lazy-words.ts';
import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { BusyButton } from '../../lib/busy-button.tsx';
import classes from './list-dialog.module.css';
import { ListFailure, SkeletonRows } from '../sidebar/list-states.tsx';

interface ListDialogBodyProps {
  query: UseInfiniteQueryResult<unknown>;
  /** Rows that are there. */
  count: number;
  empty: string;
  children: ReactNode;
}

/** A list in a dialog that comes in pages, and what stands there while it is not there. */
export function ListDialogBody({ query, count, empty, children }: ListDialogBodyProps) {
  const { t } = useTranslation();
  if (query.isPending) return <SkeletonRows count={4} />;
  if (query.isLoadingError) return <ListFailure onRetry={() => void query.refetch()} />;
  if (count === 0 && !query.hasNextPage) return <p className={classes.empty}>{empty}</p>;
  return (
    <>
      <ul className={classes.list}>{children}</ul>
      {query.isFetchNextPageError && <ListFailure onRetry={() => void query.fetchNextPage()} />}
      {query.hasNextPage && !query.isFetchNextPageError && (
        <BusyButton
          variant="default"
          fullWidth
          isBusy={query.isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
        >
          {t('com_ui_show_more_rows')}
        </BusyButton>
      )}
    </>
  );
}
