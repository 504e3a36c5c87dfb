import type { MouseEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { ConvoGroups } from './convo-groups.tsx';
import classes from './convo-list.module.css';
import { ListFailure, SkeletonRows } from './list-states.tsx';
import { useReplayHeld } from './use-change-list.ts';
import { useConvos } from './use-convos.ts';
import { useNearEnd } from './use-near-end.ts';
import { useSidebar } from './use-sidebar.ts';

/** All conversations, newest first; the next page comes when this one has nearly been scrolled through. */
export function ConvoList() {
  const { convos, list } = useConvos();
  const { toggle } = useSidebar();
  useReplayHeld(list.isFetching);
  // Whoever reached the end while the list was on its way is looked at again when it has come, also when it is the same.
  const loaded = list.isFetching ? null : convos.length;
  const nearEnd = useNearEnd(loaded, () => {
    if (list.hasNextPage && !list.isFetching && !list.isFetchNextPageError) void list.fetchNextPage();
  });

  /** Ctrl and a click on a conversation is the mouse's way to the toggle. */
  function onClick(event: MouseEvent): void {
    if (!event.ctrlKey || !(event.target instanceof Element) || !event.target.closest('a')) return;
    event.preventDefault();
    toggle();
  }

  return (
    <div {...nearEnd} className={classes.list} onClick={onClick} aria-busy={list.isPending}>
      {list.isPending && <SkeletonRows count={8} />}
      {list.isLoadingError && <ListFailure onRetry={() => void list.refetch()} />}
      {list.isSuccess && convos.length === 0 && !list.hasNextPage && <Empty />}
      <ConvoGroups convos={convos} />
      {list.isFetchingNextPage && <SkeletonRows count={3} />}
      {list.isFetchNextPageError && <ListFailure onRetry={() => void list.fetchNextPage()} />}
    </div>
  );
}

function Empty() {
  const { t } = useTranslation();
  return <p className={classes.empty}>{t('com_nav_no_convos')}</p>;
}
