import { IconGitBranch, IconSparkles, IconUser } from '@tabler/icons-react';
import { useId, useMemo, useRef, useState, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { navigate } from 'wouter/use-browser-location';
import { DialogFrame } from '../../dialogs/dialog-frame.tsx';
import classes from './tree-map.module.css';
import { listTree, nextBranch, type TreeRow } from './tree-rows.ts';
import type { Chat } from '../use-chat.ts';
import { useFixedWindow } from './use-fixed-window.ts';
import { useSnippets } from './use-snippets.ts';

/** Row height in pixels; larger for touch. */
const ROW = 36;
const ROW_OF_TOUCH = 44;
/** Rows per Page Up or Page Down. */
const PAGE = 10;
/** Deeper levels are not indented further, to leave room for the text. */
const DEEPEST = 8;

interface TreeMapProps {
  chat: Chat;
  onClose: (hasChosen: boolean) => void;
}

/** All messages of a conversation with its branches. Choosing one opens it. */
export function TreeMap({ chat, onClose }: TreeMapProps) {
  const { t } = useTranslation();
  const rows = useMemo(() => listTree(chat.tree), [chat.tree]);
  const shown = useMemo(() => new Set(chat.path.map(({ messageId }) => messageId)), [chat.path]);
  const last = chat.path.at(-1)?.messageId;
  const { conversationId } = chat.slot;

  function choose({ messageId }: TreeRow): void {
    onClose(true);
    navigate(`/c/${conversationId}?message=${messageId}`);
  }

  return (
    <DialogFrame title={t('com_chat_tree')} size="lg" onClose={() => onClose(false)}>
      <p className={classes.hint}>{t('com_chat_tree_hint')}</p>
      <Rows
        conversationId={conversationId}
        rows={rows}
        shown={shown}
        first={rows.findIndex(({ messageId }) => messageId === last)}
        onChoose={choose}
      />
    </DialogFrame>
  );
}

interface RowsProps {
  conversationId: string;
  rows: readonly TreeRow[];
  /** The messages of the branch on screen. */
  shown: ReadonlySet<string>;
  /** The initially active row. */
  first: number;
  onChoose: (row: TreeRow) => void;
}

function Rows({ conversationId, rows, shown, first, onChoose }: RowsProps) {
  const { t } = useTranslation();
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState(Math.max(first, 0));
  const [rowSize] = useState(() => (window.matchMedia('(max-width: 768px)').matches ? ROW_OF_TOUCH : ROW));
  const { indexes, size, onScroll, reveal } = useFixedWindow({ list, count: rows.length, rowSize, active });
  const snippets = useSnippets(
    conversationId,
    indexes.flatMap((index) => rows[index]?.messageId ?? []),
  );

  function onKeyDown(event: KeyboardEvent): void {
    const row = rows[active];
    if (event.key === 'Enter' && row) return onChoose(row);
    const next = nextRow(event.key, rows, active);
    if (next === null) return;
    event.preventDefault();
    setActive(next);
    reveal(next);
  }

  return (
    <div
      ref={list}
      className={classes.list}
      role="tree"
      tabIndex={0}
      data-autofocus
      aria-label={t('com_chat_tree')}
      aria-activedescendant={`${id}-${active}`}
      onScroll={onScroll}
      onKeyDown={onKeyDown}
    >
      <div className={classes.all} role="presentation" style={{ blockSize: size }}>
        {indexes.map((index) => {
          const row = rows[index];
          if (!row) return null;
          return (
            <Row
              key={row.messageId}
              id={`${id}-${index}`}
              row={row}
              start={index * rowSize}
              size={rowSize}
              text={snippets.get(row.messageId)}
              isShown={shown.has(row.messageId)}
              isActive={index === active}
              onChoose={onChoose}
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
}

function Row({ id, row, start, size, text, isShown, isActive, onChoose }: RowProps) {
  const { t } = useTranslation();
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
      aria-posinset={siblingIndex + 1}
      aria-setsize={siblingCount}
      aria-selected={isActive}
      aria-current={isShown || undefined}
      style={{ transform: `translateY(${start}px)`, blockSize: size }}
      onClick={() => onChoose(row)}
    >
      <span className={classes.indent} data-level={Math.min(level, DEEPEST)} />
      {siblingCount > 1 && (
        <span className={classes.branch}>
          <IconGitBranch aria-hidden />
          {siblingIndex + 1} / {siblingCount}
        </span>
      )}
      <Sign
        className={classes.sign}
        role="img"
        aria-label={isCreatedByUser ? t('com_chat_you') : t('com_chat_answer')}
      />
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
      return within(active + PAGE);
    case 'PageUp':
      return within(active - PAGE);
    case 'Home':
      return 0;
    case 'End':
      return within(rows.length - 1);
    default:
      return null;
  }
}
