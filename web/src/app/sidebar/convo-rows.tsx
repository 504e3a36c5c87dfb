import type { Convo } from '@parley/schema/convos/convos';
import { useSetAtom } from 'jotai';
import {
  useCallback,
  useLayoutEffect,
  useMemo,
  useRef,
  type ComponentProps,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useState,
} from 'react';
import { useTranslation } from 'react-i18next';
import classes from './convo-list.module.css';
import { usePinDrag } from './pins/use-pin-drag.ts';
import dropClasses from './pins/pin-drop.module.css';
import { ConvoRow } from './convo-row.tsx';
import { listItems, type ListGroup, type ListItem } from './items/list-items.ts';
import { useOpenId } from '../../convos/open-convo.ts';
import { extend, NO_SELECTION, selectionAtom, toggle, type Selection } from '../../convos/selection.ts';
import { useListWindow, type DrawnItem } from './use-list-window.ts';

interface ConvoRowsProps {
  pinned: Convo[];
  convos: Convo[];
  /** The server has more pages. */
  hasMore: boolean;
  selection: Selection | null;
  scroller: RefObject<HTMLElement | null>;
  /** Pixels of what stands above the rows in the scroller. */
  above: number;
}

/** The rows under their headings; renders only those near the viewport. */
export function ConvoRows({ pinned, convos, hasMore, selection, scroller, above }: ConvoRowsProps) {
  const { i18n } = useTranslation();
  const today = useToday();
  const openId = useOpenId();
  const items = useMemo(() => listItems(pinned, convos, today, i18n.language), [pinned, convos, today, i18n.language]);
  const { drawn, height, measure, scrollTo, keepFocused } = useListWindow(items, scroller, above);
  const choose = useSelectRow(items);
  const pinDrag = usePinDrag(pinned);
  useKeepFocus();

  /** The arrow keys move from row to row and skip the buttons inside rows. */
  function onKeyDown(event: KeyboardEvent): void {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    const row = event.target instanceof HTMLElement && event.target.matches('[data-row]') ? event.target : null;
    if (step === 0 || !row) return;
    event.preventDefault();
    let next = items.findIndex((item) => item.key === keyOf(row)) + step;
    if (items[next]?.kind === 'heading') next += step;
    const key = items[next]?.key;
    if (key === undefined) return;
    scrollTo(next);
    requestAnimationFrame(() => requestAnimationFrame(() => focusRow(key)));
  }

  return (
    // Only handles events that bubble up from the rows.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div className={classes.window} style={{ blockSize: height }} onKeyDown={onKeyDown} {...keepFocused}>
      {sectionsOf(drawn).map(({ group, heading, rows }) => (
        <Section
          key={group.id}
          group={group}
          heading={heading}
          measure={measure}
          handlers={group.id === 'pinned' ? pinDrag.handlers : {}}
        >
          {rows.map(({ item, gap, index }) => (
            <li
              key={item.key}
              ref={measure}
              className={dropClasses.row}
              data-drop={pinDrag.dropAt(item.key)}
              data-index={index}
              data-key={item.key}
              style={{ marginBlockStart: gap }}
              aria-posinset={item.position}
              aria-setsize={hasMore && group.id !== 'pinned' ? -1 : group.size}
            >
              <ConvoRow
                convo={item.convo}
                isOpen={item.convo.conversationId === openId}
                isChosen={selection && selection.chosen.has(item.key)}
                onChoose={choose}
              />
            </li>
          ))}
        </Section>
      ))}
    </div>
  );
}

interface SectionProps {
  group: ListGroup;
  heading: DrawnItem | undefined;
  measure: (element: Element | null) => void;
  handlers: ComponentProps<'ul'>;
  children: ReactNode[];
}

function Section({ group, heading, measure, handlers, children }: SectionProps) {
  const { t } = useTranslation();
  const names: Partial<Record<ListGroup['id'], string>> = {
    pinned: t('com_ui_pinned'),
    today: t('com_ui_date_today'),
    yesterday: t('com_ui_date_yesterday'),
    previous_7_days: t('com_ui_date_previous_7_days'),
    previous_30_days: t('com_ui_date_previous_30_days'),
  };
  const name = names[group.id] ?? group.name ?? '';
  return (
    <section aria-label={name}>
      {heading && (
        <h2
          ref={measure}
          className={classes.heading}
          data-index={heading.index}
          style={{ marginBlockStart: heading.gap }}
        >
          {name}
        </h2>
      )}
      {children.length > 0 && <ul {...handlers}>{children}</ul>}
    </section>
  );
}

type Row = Extract<ListItem, { kind: 'row' }>;

interface DrawnSection {
  group: ListGroup;
  heading: DrawnItem | undefined;
  rows: (DrawnItem & { item: Row })[];
}

function sectionsOf(drawn: DrawnItem[]): DrawnSection[] {
  const sections = new Map<string, DrawnSection>();
  for (const one of drawn) {
    const { item } = one;
    const section = sections.get(item.group.id) ?? { group: item.group, heading: undefined, rows: [] };
    sections.set(item.group.id, section);
    if (item.kind === 'heading') section.heading = one;
    else section.rows.push({ ...one, item });
  }
  return [...sections.values()];
}

/** Toggles a row, or selects the range from the last toggled row to it. */
function useSelectRow(items: ListItem[]): (convo: Convo, isRange: boolean) => void {
  const setSelection = useSetAtom(selectionAtom);
  return useCallback(
    (convo, isRange) =>
      setSelection((known) => {
        const selection = known ?? NO_SELECTION;
        const convos = () => items.flatMap((item) => (item.kind === 'row' ? [item.convo] : []));
        return isRange ? extend(selection, convo, convos()) : toggle(selection, convo);
      }),
    [items, setSelection],
  );
}

/** Restores the focus of a row that remounts because it moves to another group or becomes a checkbox. */
function useKeepFocus(): void {
  const held = useRef<{ element: Element; key: string } | null>(null);
  useLayoutEffect(() => {
    const { current } = held;
    if (current && !current.element.isConnected && document.activeElement === document.body) focusRow(current.key);
    const { activeElement: element } = document;
    const key = element && keyOf(element);
    held.current = element && key ? { element, key } : null;
  });
}

function keyOf(element: Element): string | null {
  return element.closest('[data-key]')?.getAttribute('data-key') ?? null;
}

/** Focuses the row with this key, else the first row. */
export function focusRow(key: string | null): void {
  const named = key === null ? null : document.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"] [data-row]`);
  (named ?? document.querySelector<HTMLElement>('[data-row]'))?.focus();
}

/** The current date. Updates at each local midnight, and on wake-up after a sleep across midnight. */
function useToday(): Date {
  const [today, setToday] = useState(() => new Date());
  useEffect(() => {
    const renew = () => setToday((known) => (known.toDateString() === new Date().toDateString() ? known : new Date()));
    const timer = setInterval(renew, 60_000);
    document.addEventListener('visibilitychange', renew);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', renew);
    };
  }, []);
  return today;
}
