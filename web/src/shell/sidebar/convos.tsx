import '../convos/lazy-words.ts';
import { useAtomValue } from 'jotai';
import { useEffect, useMemo, useRef, type MouseEvent } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './convo-list.module.css';
import { ConvoWindow, focusRow } from './convo-window.tsx';
import { preloadDialog } from '../dialogs/dialog-place.tsx';
import { ListFailure, SkeletonRows } from './list-states.tsx';
import { SelectionBar } from './selection-bar.tsx';
import { selectionAtom, type Selection } from '../convos/selection.ts';
import { useListed } from './use-listed.ts';
import { useNearEnd } from './use-near-end.ts';
import { useSidebar } from './use-sidebar.ts';

/** The conversations, newest first; the next page comes when this one has nearly been scrolled through. */
export function Convos() {
  const { pinned, convos, list, readIds, isFiltered } = useListed();
  const { toggle } = useSidebar();
  const selection = useAtomValue(selectionAtom);
  const all = useMemo(() => [...pinned, ...convos], [pinned, convos]);
  useFocusAfterSelection(selection);
  useEffect(() => preloadDialog('palette'), []);
  // Whoever reached the end while the list was on its way is looked at again when it has come, also when it is the same.
  const loaded = list.isFetching ? null : convos.length;
  const { ref, onScroll } = useNearEnd(loaded, () => {
    if (list.hasNextPage && !list.isFetching && !list.isFetchNextPageError) void list.fetchNextPage();
  });

  /** Ctrl and a click on a conversation is the mouse's way to the toggle. */
  function onClick(event: MouseEvent): void {
    if (!event.ctrlKey || !(event.target instanceof Element) || !event.target.closest('a')) return;
    event.preventDefault();
    toggle();
  }

  return (
    <>
      {selection && <SelectionBar selection={selection} convos={all} readIds={readIds} />}
      <div
        ref={ref}
        className={classes.list}
        data-selecting={selection !== null || undefined}
        onScroll={onScroll}
        onClick={onClick}
        aria-busy={list.isPending}
      >
        {list.isLoadingError && <ListFailure onRetry={() => void list.refetch()} />}
        {list.isSuccess && all.length === 0 && !list.hasNextPage && <Empty isFiltered={isFiltered} />}
        <ConvoWindow pinned={pinned} convos={convos} hasMore={list.hasNextPage} selection={selection} scroller={ref} />
        {/* What is pinned may be here first, and stays where it is. */}
        {list.isPending && <SkeletonRows count={8} />}
        {list.isFetchingNextPage && <SkeletonRows count={3} />}
        {list.isFetchNextPageError && <ListFailure onRetry={() => void list.fetchNextPage()} />}
      </div>
    </>
  );
}

function Empty({ isFiltered }: { isFiltered: boolean }) {
  const { t } = useTranslation();
  return <p className={classes.empty}>{isFiltered ? t('com_ui_nothing_found') : t('com_nav_no_convos')}</p>;
}

/** The bar goes away with the button that was pressed on it: the focus goes to the row that was chosen last. */
function useFocusAfterSelection(selection: Selection | null): void {
  const last = useRef(selection);
  useEffect(() => {
    const before = last.current;
    last.current = selection;
    if (before && !selection && document.activeElement === document.body) focusRow(before.anchor);
  }, [selection]);
}
