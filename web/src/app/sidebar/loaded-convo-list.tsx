import { useElementSize } from '@mantine/hooks';
import { useAtomValue } from 'jotai';
import { useEffect, useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './convo-list.module.css';
import { ConvoRows, focusRow } from './convo-rows.tsx';
import { preloadDialog } from '../dialogs/dialog-outlet.tsx';
import { VisuallyHidden } from '../../ui/primitives/visually-hidden.tsx';
import { movedPinAtom } from '../../convos/actions/use-arrange-pins.ts';
import { ListFailure } from '../../convos/list-failure.tsx';
import { useHasFolders } from '../../folders/use-folders.ts';
import { FolderGroups } from './folders/folder-groups.tsx';
import { useDragOut } from './folders/use-drag-out.ts';
import { SelectionBar } from './selection-bar.tsx';
import { selectionAtom, type Selection } from '../../convos/selection.ts';
import { useListedConvos } from './use-listed-convos.ts';
import { useNearEnd } from '../../ui/hooks/use-near-end.ts';
import { useShowDialog } from '../../dialogs/open-dialog.ts';
import { useSearchText } from '../../search/use-search-text.ts';
import { Button } from '../../ui/button.tsx';
import { SkeletonRows } from '../../ui/skeleton/skeleton-rows.tsx';

/** The conversations, newest first. Loads the next page when the user scrolls near the end. */
export function LoadedConvoList() {
  const { pinned, convos, list, readIds, isFiltered } = useListedConvos();
  const selection = useAtomValue(selectionAtom);
  const moved = useAtomValue(movedPinAtom);
  const all = useMemo(() => [...pinned, ...convos], [pinned, convos]);
  const { ref: foldersRef, height: foldersHeight } = useElementSize();
  const hasFolders = useHasFolders();
  const dragOut = useDragOut();
  useFocusAfterSelection(selection);
  useEffect(() => preloadDialog('palette'), []);
  // Checks the scroll position again after each fetch, even if the list is unchanged: the user may have reached the end
  // meanwhile.
  const loaded = list.isFetching ? null : convos.length;
  const { ref, onScroll } = useNearEnd(loaded, () => {
    if (list.hasNextPage && !list.isFetching && !list.isFetchNextPageError) void list.fetchNextPage();
  });

  return (
    <>
      {selection && <SelectionBar selection={selection} convos={all} readIds={readIds} />}
      <div
        ref={ref}
        className={classes.list}
        data-selecting={selection !== null || undefined}
        onScroll={onScroll}
        aria-busy={list.isPending}
      >
        {list.isLoadingError && <ListFailure onRetry={() => void list.refetch()} />}
        {list.isSuccess && all.length === 0 && !list.hasNextPage && (isFiltered || hasFolders === false) && (
          <Empty isFiltered={isFiltered} />
        )}
        <div ref={foldersRef} {...dragOut.from}>
          {!isFiltered && <FolderGroups selection={selection} />}
        </div>
        <VisuallyHidden role="status">{moved}</VisuallyHidden>
        <div className={classes.dated} {...dragOut.to}>
          <ConvoRows
            pinned={pinned}
            convos={convos}
            hasMore={list.hasNextPage}
            selection={selection}
            scroller={ref}
            above={foldersHeight}
          />
        </div>
        {/* Pinned conversations may load first; the skeleton comes after them. */}
        {list.isPending && <SkeletonRows count={8} />}
        {list.isFetchingNextPage && <SkeletonRows count={3} />}
        {list.isFetchNextPageError && <ListFailure onRetry={() => void list.fetchNextPage()} />}
      </div>
    </>
  );
}

function Empty({ isFiltered }: { isFiltered: boolean }) {
  const { t } = useTranslation();
  const show = useShowDialog();
  const { clear } = useSearchText();
  return (
    <div className={classes.empty}>
      <p>{isFiltered ? t('com_ui_nothing_found') : t('com_nav_no_convos')}</p>
      {isFiltered ? (
        <Button size="sm" onClick={clear}>
          {t('com_search_clear')}
        </Button>
      ) : (
        <Button size="sm" onClick={() => show({ name: 'import' })}>
          {t('com_nav_import_conversations')}
        </Button>
      )}
    </div>
  );
}

/** Pressing a button of the selection bar unmounts the bar; the focus moves to the row selected last. */
function useFocusAfterSelection(selection: Selection | null): void {
  const last = useRef(selection);
  useEffect(() => {
    const before = last.current;
    last.current = selection;
    if (before && !selection && document.activeElement === document.body) focusRow(before.anchor);
  }, [selection]);
}
