import { IconGitBranch, IconSparkles, IconUser } from '@tabler/icons-react';
import { defaultRangeExtractor, useVirtualizer, type Range } from '@tanstack/react-virtual';
import { useCallback, useEffect, useEffectEvent, useId, useRef, useState, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import type { Message } from '@parley/schema/messages/messages';
import { readableText } from '@parley/schema/messages/readable-text';
import { formatNumber, formatPosition } from '../../lib/format-number.ts';
import { nextBranch, type TreeRow } from './tree-rows.ts';
import { plainExcerpt } from '../../lib/plain-excerpt.ts';
import { api } from '../../trpc.ts';
import classes from './tree-map.module.css';

/** Row height in pixels; larger for touch. */
const ROW_PX = 36;
const TOUCH_ROW_PX = 44;
/** Overscan in rows, on either side. */
const OVERSCAN_ROWS = 6;
/** Rows per Page Up or Page Down. */
const PAGE_ROWS = 10;
/** Deeper levels are not indented further, to leave room for the text. */
const INDENT_MAX = 8;

interface TreeListProps {
  label: string;
  conversationId: string;
  rows: readonly TreeRow[];
  /** The messages of the branch on screen. */
  shown: ReadonlySet<string>;
  /** The initially active row. */
  first: number;
  onChoose: (row: TreeRow) => void;
  /** Questions alone: each has its number. */
  isOutline?: boolean;
}

/** Messages of a conversation as rows: the beginning of each. Arrow keys walk them, Enter chooses. */
export function TreeList({ label, conversationId, rows, shown, first, onChoose, isOutline = false }: TreeListProps) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState(Math.max(first, 0));
  const [rowSize] = useState(() => (window.matchMedia('(max-width: 768px)').matches ? TOUCH_ROW_PX : ROW_PX));
  // The result is read during this render, and to scroll.
  // oxlint-disable-next-line react/incompatible-library
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => list.current,
    estimateSize: () => rowSize,
    overscan: OVERSCAN_ROWS,
    // The active row has an element wherever the list is, since `aria-activedescendant` names it.
    rangeExtractor: useCallback(
      (range: Range) => [...new Set([...defaultRangeExtractor(range), active])].filter((index) => index < range.count),
      [active],
    ),
  });
  const begin = useEffectEvent(() => virtualizer.scrollToIndex(active, { align: 'center' }));
  useEffect(() => begin(), []);
  const drawn = virtualizer.getVirtualItems();
  const snippets = useSnippets(
    conversationId,
    drawn.flatMap(({ index }) => rows[index]?.messageId ?? []),
  );

  function onKeyDown(event: KeyboardEvent): void {
    const row = rows[active];
    if (event.key === 'Enter' && row) return onChoose(row);
    const next = nextRow(event.key, rows, active);
    if (next === null) return;
    event.preventDefault();
    setActive(next);
    virtualizer.scrollToIndex(next, { align: 'auto' });
  }

  return (
    <div
      ref={list}
      className={classes.list}
      role="tree"
      tabIndex={0}
      data-autofocus
      aria-label={label}
      aria-activedescendant={`${id}-${active}`}
      onKeyDown={onKeyDown}
    >
      <div className={classes.content} role="presentation" style={{ blockSize: virtualizer.getTotalSize() }}>
        {drawn.map(({ index, start }) => {
          const row = rows[index];
          if (!row) return null;
          return (
            <Row
              key={row.messageId}
              id={`${id}-${index}`}
              row={row}
              start={start}
              size={rowSize}
              text={snippets.get(row.messageId)}
              isShown={shown.has(row.messageId)}
              isActive={index === active}
              onChoose={onChoose}
              position={isOutline ? { index, count: rows.length } : undefined}
            />
          );
        })}
      </div>
    </div>
  );
}

interface RowProps {
  id: string;
  row: TreeRow;
  /** The row's top in the list, and its height, in pixels. */
  start: number;
  size: number;
  /** The start of the message; undefined until loaded. */
  text: string | undefined;
  isShown: boolean;
  isActive: boolean;
  onChoose: (row: TreeRow) => void;
  /** Its place among the questions of an outline. */
  position: { index: number; count: number } | undefined;
}

function Row({ id, row, start, size, text, isShown, isActive, onChoose, position }: RowProps) {
  const { t, i18n } = useTranslation();
  const { level, siblingIndex, siblingCount, isCreatedByUser } = row;
  const Sign = isCreatedByUser ? IconUser : IconSparkles;
  return (
    // The list around it has the focus and handles the keys.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
    <div
      id={id}
      role="treeitem"
      className={classes.row}
      data-active={isActive || undefined}
      data-shown={isShown || undefined}
      aria-level={level + 1}
      aria-posinset={(position?.index ?? siblingIndex) + 1}
      aria-setsize={position?.count ?? siblingCount}
      aria-selected={isActive}
      aria-current={isShown || undefined}
      style={{ transform: `translateY(${start}px)`, blockSize: size }}
      onClick={() => onChoose(row)}
    >
      <span className={classes.indent} data-level={Math.min(level, INDENT_MAX)} />
      {siblingCount > 1 && (
        <span className={classes.branch}>
          <IconGitBranch aria-hidden />
          {formatPosition(siblingIndex + 1, siblingCount, i18n.language)}
        </span>
      )}
      {position ? (
        <span className={classes.number}>{formatNumber(position.index + 1, i18n.language)}</span>
      ) : (
        <Sign
          className={classes.authorIcon}
          role="img"
          aria-label={isCreatedByUser ? t('com_chat_you') : t('com_chat_answer')}
        />
      )}
      <span className={classes.text} dir="auto">
        {text ?? '…'}
      </span>
    </div>
  );
}

/** The row that a key moves to from the active one; null for any other key. */
function nextRow(key: string, rows: readonly TreeRow[], active: number): number | null {
  const within = (index: number) => Math.max(0, Math.min(index, rows.length - 1));
  switch (key) {
    case 'ArrowDown':
      return within(active + 1);
    case 'ArrowUp':
      return within(active - 1);
    case 'ArrowRight':
      return nextBranch(rows, active, 1);
    case 'ArrowLeft':
      return nextBranch(rows, active, -1);
    case 'PageDown':
      return within(active + PAGE_ROWS);
    case 'PageUp':
      return within(active - PAGE_ROWS);
    case 'Home':
      return 0;
    case 'End':
      return within(rows.length - 1);
    default:
      return null;
  }
}

/** Debounce in milliseconds after the last change of the visible rows. */
const ASK_AFTER_MS = 80;
/** Ids per request. */
const IDS_MAX = 100;
/** Characters that fit in a row. */
const SNIPPET_CHARS = 160;

/** The beginnings of messages, by id: of the visible ones, and of all seen before. */
function useSnippets(conversationId: string, messageIds: readonly string[]): ReadonlyMap<string, string> {
  const [snippets, setSnippets] = useState<ReadonlyMap<string, string>>(new Map());
  const asked = useRef(new Set<string>());
  const wanted = messageIds.filter((id) => !snippets.has(id)).slice(0, IDS_MAX);
  const key = wanted.join();

  const ask = useEffectEvent(async () => {
    const missing = wanted.filter((id) => !asked.current.has(id));
    if (missing.length === 0) return;
    for (const id of missing) asked.current.add(id);
    try {
      const messages = await api.messages.bodies.query({ conversationId, messageIds: missing });
      const came = new Set(messages.map(({ messageId }) => messageId));
      // The others may have been too many bytes; where none comes, they are deleted.
      if (came.size > 0) for (const id of missing) if (!came.has(id)) asked.current.delete(id);
      setSnippets(
        (before) => new Map([...before, ...messages.map((one) => [one.messageId, beginningOf(one)] as const)]),
      );
    } catch {
      // The rows keep their ellipsis; the next view of them requests again.
      for (const id of missing) asked.current.delete(id);
    }
  });
  useEffect(() => {
    const timer = setTimeout(() => void ask(), ASK_AFTER_MS);
    return () => clearTimeout(timer);
    // `key` joins the ids and stands for them.
  }, [conversationId, key]);

  return snippets;
}

function beginningOf(message: Message): string {
  const text = readableText(message);
  // A message of nothing but marks is shown by them.
  return plainExcerpt(text, SNIPPET_CHARS) || text.slice(0, SNIPPET_CHARS).toWellFormed().trim();
}
