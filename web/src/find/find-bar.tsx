// Tests of this room: tests/unit/web/find, tests/e2e/search/find.test.ts.
import { IconChevronDown, IconChevronUp, IconX } from '@tabler/icons-react';
import type { ThreadNode } from '@parley/schema/messages/thread';
import { useSetAtom } from 'jotai';
import { useEffect, useEffectEvent, useMemo, useRef, useState, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { soughtMessageAtom } from '../chat/thread/sought-message.ts';
import type { Chat } from '../chat/use-chat.ts';
import { columnPaths } from '../compare/column-paths.ts';
import { formatNumber } from '../lib/format-number.ts';
import { SearchField } from '../ui/fields/search-field.tsx';
import { useEventListener } from '../ui/hooks/use-event-listener.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { PlainButton } from '../ui/primitives/plain-button.tsx';
import { VisuallyHidden } from '../ui/primitives/visually-hidden.tsx';
import classes from './find-bar.module.css';
import { foldQuery } from './folded.ts';
import { placeAt, positionFrom } from './found-places.ts';
import { useFound, type FoundPlaces } from './use-found.ts';
import { useMarks, useReveal, type Present } from './use-marks.ts';

const NONE: ReadonlySet<string> = new Set();

/** The search in the chat. Enter and F3 go to the next place, with Shift to the one before, Escape ends it. */
export function FindBar({ chat, onClose }: { chat: Chat; onClose: () => void }) {
  const { t } = useTranslation();
  const [text, setText] = useState('');
  const [areAll, setAll] = useState(false);
  const bar = useRef<HTMLElement>(null);
  const nodes = useNodes(chat, areAll);
  const needle = foldQuery(text);
  const found = useFound(chat, nodes, needle, useUnfolded());
  const { present, position, total, move } = usePresent(found, nodes);
  useMarks(needle, present);
  useReveal(needle, present);
  useFocusKept(bar);
  useEventListener('keydown', (event) => {
    if (event.key !== 'F3') return;
    event.preventDefault();
    move(event.shiftKey ? -1 : 1);
  });

  function onKeyDown(event: KeyboardEvent): void {
    if (event.nativeEvent.isComposing) return;
    const isField = event.target instanceof HTMLInputElement;
    if (event.key === 'Escape') onClose();
    else if (event.key === 'Enter' && isField) move(event.shiftKey ? -1 : 1);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  const hasBranches = chat.tree.byId.size > chat.path.length;
  return (
    // Only handles events that bubble up from its controls.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <search
      ref={bar}
      className={classes.bar}
      data-find
      aria-label={t('com_find')}
      aria-busy={found.isSearching || undefined}
      onKeyDown={onKeyDown}
    >
      <SearchField
        className={classes.field}
        placeholder={t('com_find')}
        value={text}
        maxLength={1000}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      <Count found={found} isSearch={needle !== ''} position={position} total={total} />
      {hasBranches && (
        <PlainButton className={classes.branches} aria-pressed={areAll} onClick={() => setAll(!areAll)}>
          {t('com_find_branches')}
        </PlainButton>
      )}
      <IconButton label={t('com_viewer_find_previous')} onClick={() => move(-1)}>
        <IconChevronUp aria-hidden />
      </IconButton>
      <IconButton label={t('com_viewer_find_next')} onClick={() => move(1)}>
        <IconChevronDown aria-hidden />
      </IconButton>
      <IconButton label={t('com_viewer_find_close')} onClick={onClose}>
        <IconX aria-hidden />
      </IconButton>
    </search>
  );
}

/** What is searched: the branch on screen, the columns side by side, or all messages, oldest first. */
function useNodes({ convo, tree, path }: Chat, areAll: boolean): readonly ThreadNode[] {
  const columns = convo?.columns;
  return useMemo(() => {
    if (areAll) return [...tree.byId.values()].toSorted((a, b) => a.seq - b.seq);
    const { shared, columns: paths } = columnPaths(columns, tree);
    if (paths.length < 2) return path;
    return [...new Set([...shared, ...paths.flatMap((one) => one.path)])];
  }, [areAll, columns, tree, path]);
}

/** The present place: at first the next one from the message at the top of the view. */
function usePresent(found: FoundPlaces, nodes: readonly ThreadNode[]) {
  const seek = useSetAtom(soughtMessageAtom);
  const [chosen, setChosen] = useState<(Present & { needle: string }) | null>(null);
  const total = found.messages.reduce((sum, { count }) => sum + count, 0);
  const isChosen = chosen !== null && chosen.needle === found.needle;
  const position = isChosen ? positionOf(found, chosen) : -1;

  function choose(next: number): void {
    const place = placeAt(found.messages, next);
    if (!place) return;
    setChosen({ ...place, needle: found.needle });
    seek({ messageId: place.messageId });
  }

  const { needle, messages } = found;
  const chooseNearest = useEffectEvent(() => choose(positionFrom(messages, nodes, topMessage())));
  // Only what has been found chooses by itself.
  useEffect(() => {
    // oxlint-disable-next-line react/set-state-in-effect -- what is nearest depends on where the page is scrolled to
    if (needle !== '' && !isChosen && messages.length > 0) chooseNearest();
  }, [needle, isChosen, messages]);
  useEffect(() => () => seek(null), [seek]);

  const present = useMemo(
    () => (chosen && isChosen ? { messageId: chosen.messageId, at: chosen.at } : null),
    [chosen, isChosen],
  );
  return {
    present,
    position,
    total,
    move: (by: 1 | -1) => total > 0 && choose((Math.max(position, 0) + by + total) % total),
  };
}

/** Its message may be gone, or have fewer of them. */
function positionOf({ messages }: FoundPlaces, { messageId, at }: Present): number {
  let before = 0;
  for (const one of messages) {
    if (one.messageId === messageId) return before + Math.min(at, one.count - 1);
    before += one.count;
  }
  return -1;
}

/** The first message in view. */
function topMessage(): string | null {
  const thread = document.querySelector('[role=log]');
  const top = thread?.getBoundingClientRect().top ?? 0;
  const rows = [...(thread?.querySelectorAll<HTMLElement>('[data-message]') ?? [])];
  return rows.find((row) => row.getBoundingClientRect().bottom > top)?.dataset.message ?? null;
}

/** Where the focus was, it returns to. */
function useFocusKept(bar: React.RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const before = document.activeElement;
    bar.current?.querySelector('input')?.focus();
    return () => {
      const { activeElement } = document;
      if (activeElement !== document.body && activeElement?.isConnected && activeElement !== before) return;
      const thread = document.querySelector<HTMLElement>('[role=log]');
      const place = before instanceof HTMLElement && before.isConnected && before !== document.body ? before : thread;
      place?.focus({ preventScroll: true });
    };
  }, [bar]);
}

interface CountProps {
  found: FoundPlaces;
  isSearch: boolean;
  position: number;
  total: number;
}

/** Milliseconds without a change before the count is read out: it grows while a long chat is searched. */
const SAID_AFTER_MS = 600;

function Count({ found, isSearch, position, total }: CountProps) {
  const { t, i18n } = useTranslation();
  const [said, setSaid] = useState('');
  const words = !isSearch
    ? ''
    : total > 0
      ? t('com_viewer_found', { 0: formatNumber(position + 1, i18n.language), 1: formatNumber(total, i18n.language) })
      : found.isSearching
        ? t('com_find_searching')
        : t('com_viewer_found_nothing');
  useEffect(() => {
    const timer = setTimeout(() => setSaid(words), SAID_AFTER_MS);
    return () => clearTimeout(timer);
  }, [words]);
  return (
    <>
      <span className={classes.count} aria-hidden data-testid="find-count">
        {words}
      </span>
      <VisuallyHidden role="status">{said}</VisuallyHidden>
    </>
  );
}

/** The messages whose reasoning is open on screen. */
function useUnfolded(): ReadonlySet<string> {
  const [unfolded, setUnfolded] = useState(NONE);
  useEventListener('toggle', () => setUnfolded(unfoldedNow()), { capture: true });
  return unfolded;
}

function unfoldedNow(): ReadonlySet<string> {
  const open = document.querySelectorAll<HTMLElement>('[role=log] details[open] > [data-said]');
  const ids = [...open].flatMap((said) => said.closest<HTMLElement>('[data-message]')?.dataset.message ?? []);
  return ids.length === 0 ? NONE : new Set(ids);
}
