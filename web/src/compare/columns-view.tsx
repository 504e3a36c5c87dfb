import { useAtom, useSetAtom } from 'jotai';
import { useEffect, useEffectEvent, useMemo, useRef, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { readableText } from '@parley/schema/messages/readable-text';
import { ThreadImagesProvider } from '../chat/attachments/thread-images.tsx';
import { chooseBranchesAtom, choicesTo } from '../chat/cache/branches.ts';
import { LazyThread } from '../chat/thread/lazy-thread.tsx';
import { ThreadArtifacts } from '../chat/thread/thread-artifacts.tsx';
import { useKeepFocus } from '../chat/thread/use-keep-focus.ts';
import { useStopKey } from '../chat/thread/use-stop-key.ts';
import type { Chat } from '../chat/use-chat.ts';
import { useCatalog } from '../endpoints/use-catalog.ts';
import { describeReason } from '../errors/describe-reason.ts';
import { Button } from '../ui/button.tsx';
import { ColumnPane } from './column-pane.tsx';
import { columnName } from './column-name.ts';
import { columnPaths, type ColumnPath } from './column-paths.ts';
import { Elsewhere, useElsewhere } from './elsewhere.tsx';
import { SharedMessages } from './shared-messages.tsx';
import { byLot, hiddenNamesAtom, columnLetter } from './hidden-names.ts';
import { useColumns } from './use-columns.ts';
import { findDifferences, type Differences } from './differences.ts';
import classes from './columns.module.css';

/** Answers side by side, below what they have in common. In a narrow window one at a time, by tabs or a swipe. */
export function ColumnsView({ chat }: { chat: Chat }) {
  const { tree } = chat;
  const columns = chat.convo?.columns;
  const paths = useMemo(() => columnPaths(columns, tree), [columns, tree]);
  const elsewhere = useElsewhere(chat, paths);
  if (paths.columns.length < 2) return <LazyThread chat={chat} />;
  if (elsewhere.isShown) return <Elsewhere chat={chat} onLeave={elsewhere.leave} />;
  return (
    <ThreadImagesProvider chat={chat}>
      <ThreadArtifacts chat={chat}>
        <Columns chat={chat} shared={paths.shared} columns={paths.columns} />
      </ThreadArtifacts>
    </ThreadImagesProvider>
  );
}

interface ColumnsProps {
  chat: Chat;
  shared: ReturnType<typeof columnPaths>['shared'];
  columns: readonly ColumnPath[];
}

function Columns({ chat, shared, columns: known }: ColumnsProps) {
  const { t } = useTranslation();
  const { conversationId } = chat.slot;
  const scroller = useRef<HTMLDivElement>(null);
  const frame = useRef<HTMLDivElement>(null);
  const [hidden, setHidden] = useAtom(hiddenNamesAtom);
  const areHidden = hidden.has(conversationId);
  const columns = areHidden ? byLot(known) : known;
  const specs = useCatalog()?.specs;
  const names = columns.map(({ column }, at) =>
    areHidden ? t('com_compare_hidden', { 0: columnLetter(at) }) : columnName(column, specs),
  );
  const acts = useColumns(chat);
  const { seen, show } = useSeenColumn(scroller, columns.length);
  useKeepFocus(frame, chat.generationId !== null);
  useStopKey(chat);
  useBranchOf(chat, columns[seen]?.reply.messageId);
  const isBusy = chat.generationId !== null;
  const { differences, ...marks } = useDifferences(chat, columns);

  return (
    <div ref={frame} className={classes.frame}>
      <ColumnsBar names={names} seen={seen} onSee={show}>
        {columns.length === 2 && (
          <Button
            size="sm"
            variant={marks.areShown ? 'default' : 'subtle'}
            aria-pressed={marks.areShown}
            disabled={isBusy}
            onClick={marks.toggle}
          >
            {t('com_compare_differences')}
          </Button>
        )}
        <Button size="sm" variant="subtle" onClick={() => setHidden(conversationId, !areHidden)}>
          {areHidden ? t('com_compare_show_names') : t('com_compare_hide_names')}
        </Button>
        <Button size="sm" variant="subtle" disabled={isBusy} onClick={() => void acts.end()}>
          {t('com_compare_end')}
        </Button>
      </ColumnsBar>
      {differences && differences.likeness !== 'some' && (
        <p className={classes.note} role="status">
          {t(differences.likeness === 'alike' ? 'com_compare_alike' : 'com_compare_unlike')}
        </p>
      )}
      <Refused chat={chat} columns={known} />
      <SharedMessages chat={chat} nodes={shared} onEdit={(...edited) => acts.editOfAll(known, ...edited)} />
      {/* A scroll container must be reachable by keyboard. */}
      <div
        ref={scroller}
        className={classes.columns}
        role="group"
        aria-label={t('com_compare_columns')}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
      >
        {columns.map((one, at) => (
          <ColumnPane
            key={one.place}
            chat={chat}
            one={one}
            name={names[at] ?? ''}
            count={columns.length}
            isHidden={areHidden}
            isBusy={isBusy}
            acts={acts}
            marked={differences?.likeness === 'some' ? differences.sides[at] : undefined}
          />
        ))}
      </div>
    </div>
  );
}

/** Why a question was not asked at all; its text is in its box again. */
function Refused({ chat: { exchangeOf }, columns }: { chat: Chat; columns: readonly ColumnPath[] }) {
  const { t } = useTranslation();
  const shown = new Set(columns.map(({ reply }) => reply.messageId));
  const [refused] = [...exchangeOf.values()].flatMap((one) =>
    one.status === 'failed' && !shown.has(one.reply.messageId) ? [one.reason] : [],
  );
  return (
    <p className={classes.note} role="alert">
      {refused && describeReason(refused, t)}
    </p>
  );
}

/** The column on screen is the branch of the chat: its outline, its map and what is copied by keys follow it. */
function useBranchOf({ path, slot, tree }: Chat, replyId: string | undefined): void {
  const choose = useSetAtom(chooseBranchesAtom);
  const follow = useEffectEvent(() => {
    if (!replyId || path.some(({ messageId }) => messageId === replyId)) return;
    choose(slot.conversationId, choicesTo(tree, replyId));
  });
  // Only another column, or another answer in it, is another branch.
  useEffect(() => follow(), [replyId]);
}

/** The column on screen, where there is room for one. */
function useSeenColumn(scroller: React.RefObject<HTMLDivElement | null>, count: number) {
  const [seen, setSeen] = useState(0);
  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const look = () => {
      const at = Math.round((Math.abs(element.scrollLeft) / Math.max(element.scrollWidth, 1)) * count);
      setSeen(Math.min(at, count - 1));
    };
    element.addEventListener('scroll', look, { passive: true });
    return () => element.removeEventListener('scroll', look);
  }, [scroller, count]);

  function show(at: number): void {
    setSeen(at);
    scroller.current?.children[at]?.scrollIntoView({ block: 'nearest', inline: 'start' });
  }

  return { seen, show };
}

interface ColumnsBarProps {
  names: readonly string[];
  /** The column on screen where there is room for one. */
  seen: number;
  onSee: (at: number) => void;
  /** What can be done with all of them. */
  children: ReactNode;
}

/** Above the columns: their tabs where there is room for one, and what can be done with all. */
function ColumnsBar({ names, seen, onSee, children }: ColumnsBarProps) {
  const { t } = useTranslation();
  return (
    <div className={classes.bar}>
      <div className={classes.tabs} role="tablist" aria-label={t('com_compare_columns')}>
        {names.map((name, at) => (
          <button
            // oxlint-disable-next-line react/no-array-index-key -- two may have one name
            key={at}
            type="button"
            role="tab"
            aria-selected={at === seen}
            className={classes.tab}
            onClick={() => onSee(at)}
          >
            <span dir="auto">{name}</span>
          </button>
        ))}
      </div>
      <div className={classes.acts}>{children}</div>
    </div>
  );
}

interface MarkedDifferences {
  /** Of the newest answers of two columns; null while they are not asked for, being written, or not known. */
  differences: Differences | null;
  areShown: boolean;
  toggle: () => void;
}

function useDifferences({ findMessage, generationId }: Chat, columns: readonly ColumnPath[]): MarkedDifferences {
  const [areWanted, setWanted] = useState(false);
  const areShown = areWanted && generationId === null;
  const [left, right] = areShown ? columns.map(({ reply }) => findMessage(reply.messageId)) : [];
  const differences = useMemo(
    () => (left && right ? findDifferences(readableText(left), readableText(right)) : null),
    [left, right],
  );
  return { differences, areShown, toggle: () => setWanted(!areWanted) };
}
