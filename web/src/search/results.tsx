import type { SearchGroup } from '@parley/schema/search';
import { UnstyledButton } from '@mantine/core';
import type { TFunction } from 'i18next';
import type { KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { describeError } from '../lib/describe-error.ts';
import { useNearEnd } from '../shell/sidebar/use-near-end.ts';
import { FoundConvo } from './found-convo.tsx';
import classes from './search-view.module.css';
import { useFound } from './use-found.ts';

/** What was found for a query, page by page as one scrolls. */
export function Results({ query }: { query: string }) {
  const { t } = useTranslation();
  const { groups, found } = useFound(query);
  const { ref, onScroll } = useNearEnd(found.isFetching ? null : groups.length, () => {
    if (found.hasNextPage && !found.isFetching && !found.isFetchNextPageError) void found.fetchNextPage();
  });
  const isNothing = found.isSuccess && !found.isPlaceholderData && groups.length === 0 && !found.hasNextPage;

  return (
    // A region that scrolls has to be reachable by key.
    <section
      ref={ref}
      className={classes.results}
      aria-label={t('com_search_results')}
      aria-busy={found.isFetching}
      data-old={found.isPlaceholderData || undefined}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      onScroll={onScroll}
      onKeyDown={walk}
    >
      <p role="status" className={isNothing ? classes.nothing : classes.count}>
        {isNothing && t('com_ui_nothing_found')}
        {!isNothing && groups.length > 0 && !found.isFetching && countOf(groups.length, found.hasNextPage, t)}
      </p>
      {found.isPending && <Skeletons />}
      {found.isLoadingError && <Failure error={found.error} onRetry={() => void found.refetch()} />}
      {groups.map((group, index) => (
        <FoundConvo key={group.convo.conversationId} group={group} isFirstEven={isEven(groups, index)} />
      ))}
      {found.isFetchingNextPage && <Skeletons />}
      {found.isFetchNextPageError && <Failure error={found.error} onRetry={() => void found.fetchNextPage()} />}
    </section>
  );
}

function countOf(count: number, hasMore: boolean, t: TFunction): string {
  return hasMore ? t('com_search_count_more', { 0: count }) : t('com_search_count', { count });
}

/** The rows of all conversations are one flat list with alternating backgrounds. */
function isEven(groups: SearchGroup[], index: number): boolean {
  const before = groups.slice(0, index).reduce((rows, { hits }) => rows + Math.max(hits.length, 1), 0);
  return before % 2 === 0;
}

/** Up and Down go from link to link. */
function walk(event: KeyboardEvent): void {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
  const hits = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-hit]')];
  const next = hits[hits.findIndex((hit) => hit === event.target) + step];
  if (step === 0 || !next || !(event.target instanceof Element) || !event.target.matches('[data-hit]')) return;
  event.preventDefault();
  next.focus();
}

function Skeletons() {
  return (
    <div className={classes.skeletons} aria-hidden>
      {[1, 2, 3].map((row) => (
        <div key={row} className={classes.skeleton} />
      ))}
    </div>
  );
}

function Failure({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const { t } = useTranslation();
  return (
    <div className={classes.failure} role="alert">
      <p>{describeError(error, t)}</p>
      <UnstyledButton className={classes.retry} onClick={onRetry}>
        {t('com_ui_retry')}
      </UnstyledButton>
    </div>
  );
}
