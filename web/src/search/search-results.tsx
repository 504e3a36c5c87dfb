import type { SearchGroup, SearchHit } from '@parley/schema/search/search';
import type { TFunction } from 'i18next';
import type { KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { replySender } from '@parley/schema/catalog/sender';
import { Link } from 'wouter';
import { describeError } from '../errors/describe-error.ts';
import { useNearEnd } from '../ui/hooks/use-near-end.ts';
import { Button } from '../ui/button.tsx';
import { useSearchText } from './use-search-text.ts';
import { useSearchResults } from './use-search-results.ts';
import { senderLabel } from '../catalog/sender-label.ts';
import { FolderIcon } from '../folders/folder-icon.tsx';
import { useFolders } from '../folders/use-folders.ts';
import { formatDate } from '../lib/format-date.ts';
import { messageAddress } from './search-address.ts';
import { HighlightedText } from './highlighted-text.tsx';
import { markFoundWords } from './mark-found-words.ts';
import classes from './search-view.module.css';
import { ScrollRegion } from '../ui/primitives/scroll-region.tsx';

/** The results of a query, with infinite scroll. */
export function SearchResults({ query }: { query: string }) {
  const { t } = useTranslation();
  const { groups, found } = useSearchResults(query);
  const { clear } = useSearchText();
  const { ref, onScroll } = useNearEnd(found.isFetching ? null : groups.length, () => {
    if (found.hasNextPage && !found.isFetching && !found.isFetchNextPageError) void found.fetchNextPage();
  });
  const isNothing = found.isSuccess && !found.isPlaceholderData && groups.length === 0 && !found.hasNextPage;

  return (
    <ScrollRegion
      ref={ref}
      role="region"
      className={classes.results}
      data-scrolls
      aria-label={t('com_search_results')}
      aria-busy={found.isFetching}
      data-old={found.isPlaceholderData || undefined}
      onScroll={onScroll}
      onKeyDown={walk}
    >
      <p role="status" className={isNothing ? classes.empty : classes.count}>
        {isNothing && t('com_ui_nothing_found')}
        {!isNothing && groups.length > 0 && !found.isFetching && countOf(groups.length, found.hasNextPage, t)}
      </p>
      {isNothing && (
        <div className={classes.next}>
          <Button onClick={clear}>{t('com_search_clear')}</Button>
        </div>
      )}
      {found.isPending && <Skeletons />}
      {found.isLoadingError && <Failure error={found.error} onRetry={() => void found.refetch()} />}
      {groups.map((group, index) => (
        <FoundConvo key={group.convo.conversationId} group={group} isFirstEven={isEven(groups, index)} />
      ))}
      {found.isFetchingNextPage && <Skeletons />}
      {found.isFetchNextPageError && <Failure error={found.error} onRetry={() => void found.fetchNextPage()} />}
    </ScrollRegion>
  );
}

function countOf(count: number, hasMore: boolean, t: TFunction): string {
  return hasMore ? t('com_search_count_more', { 0: count }) : t('com_search_count', { count });
}

/** The rows of all conversations form one flat list with alternating background colours. */
function isEven(groups: SearchGroup[], index: number): boolean {
  const before = groups.slice(0, index).reduce((rows, { hits }) => rows + Math.max(hits.length, 1), 0);
  return before % 2 === 0;
}

/** The up and down arrow keys move between links. */
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
    <div aria-hidden>
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
      <Button size="sm" onClick={onRetry}>
        {t('com_ui_retry')}
      </Button>
    </div>
  );
}

interface FoundConvoProps {
  group: SearchGroup;
  /** Whether its first row has the first of the two background colours. */
  isFirstEven: boolean;
}

/** A conversation with its matching messages; each links to its place in the thread. */
function FoundConvo({ group, isFirstEven }: FoundConvoProps) {
  const { t, i18n } = useTranslation();
  const { convo, titleParts, hits, more } = group;
  const { conversationId } = convo;
  const folder = useFolders().find(({ id }) => id === convo.folderId);
  const isEven = (index: number) => (index % 2 === 0) === isFirstEven;
  return (
    <article className={classes.group}>
      <h2 className={classes.convo} data-even={(hits.length === 0 && isEven(0)) || undefined}>
        <Link href={`/c/${conversationId}`} className={classes.convoLink} data-hit>
          <span dir="auto">
            {titleParts.length > 0 ? <HighlightedText parts={titleParts} /> : t('com_ui_new_chat')}
          </span>
        </Link>
        {folder && (
          <span className={classes.folder} data-tooltip={folder.name} data-cut>
            <FolderIcon color={folder.color} />
            <span dir="auto">{folder.name}</span>
          </span>
        )}
        {convo.isArchived && <span className={classes.badge}>{t('com_ui_archived')}</span>}
        <time className={classes.date} dateTime={convo.updatedAt}>
          {formatDate(convo.updatedAt, i18n.language)}
        </time>
      </h2>
      {hits.map((hit, index) => (
        <Link
          key={hit.messageId}
          href={messageAddress(conversationId, hit.messageId)}
          className={classes.hit}
          data-hit
          data-even={isEven(index) || undefined}
          onClick={() => markWords(conversationId, hit)}
        >
          <span className={classes.sender}>
            {hit.isCreatedByUser ? t('com_chat_you') : senderLabel({ ...convo, sender: replySender(convo) })}
            <time className={classes.date} dateTime={hit.createdAt}>
              {formatDate(hit.createdAt, i18n.language)}
            </time>
          </span>
          <span className={classes.snippet} dir="auto">
            <HighlightedText parts={hit.snippet} />
          </span>
        </Link>
      ))}
      {more > 0 && <p className={classes.more}>{t('com_search_more', { count: more })}</p>}
    </article>
  );
}

/** In the conversation that opens. */
function markWords(conversationId: string, { snippet }: SearchHit): void {
  const words = snippet.flatMap(({ text, isHit }) => (isHit ? [text] : []));
  markFoundWords(conversationId, words);
}
