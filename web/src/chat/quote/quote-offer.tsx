import { IconQuote } from '@tabler/icons-react';
import { useStore } from 'jotai';
import { useEffect, useEffectEvent, useRef, type CSSProperties, type RefObject, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isTouchDevice } from '../../lib/is-touch-device.ts';
import { focusComposer } from '../../slots/focus-composer.ts';
import { draftKeyOf, useSlot, useSlotIndex } from '../../slots/slot.ts';
import { useEventListener } from '../../ui/hooks/use-event-listener.ts';
import { PlainButton } from '../../ui/primitives/plain-button.tsx';
import { useChatSession } from '../chat-session-context.tsx';
import { withQuote } from './quoted.ts';
import classes from './quote-offer.module.css';

/** Offers to quote the text that is selected in a message. */
export function QuoteOffer({ thread }: { thread: RefObject<HTMLElement | null> }) {
  const [selected, hide] = useSelectedText(thread);
  const store = useStore();
  const index = useSlotIndex();
  const key = draftKeyOf(useSlot());
  const { drafts } = useChatSession();
  if (!selected) return null;

  function quote({ text }: SelectedText): void {
    const draft = drafts.draftAtom(key);
    store.set(draft, withQuote(store.get(draft), text));
    document.getSelection()?.removeAllRanges();
    hide();
    focusComposer(index);
  }

  return <Offer selected={selected} thread={thread} onHide={hide} onQuote={() => quote(selected)} />;
}

interface OfferProps {
  selected: SelectedText;
  thread: RefObject<HTMLElement | null>;
  onHide: () => void;
  onQuote: () => void;
}

/** Tab goes to it, wherever the selection was made; Escape and scrolling hide it. */
function Offer({ selected, thread, onHide, onQuote }: OfferProps) {
  const { t } = useTranslation();
  const button = useRef<HTMLButtonElement>(null);
  useEventListener(
    'keydown',
    (event) => {
      const isTab = event.key === 'Tab' && !event.shiftKey && document.activeElement !== button.current;
      if (!isTab && event.key !== 'Escape') return;
      event.preventDefault();
      event.stopPropagation();
      if (isTab) button.current?.focus({ preventScroll: true });
      else onHide();
    },
    { capture: true },
  );
  const leave = useEffectEvent(onHide);
  useEffect(() => {
    const scroller = thread.current;
    const onScroll = () => leave();
    scroller?.addEventListener('scroll', onScroll, { passive: true, once: true });
    return () => scroller?.removeEventListener('scroll', onScroll);
  }, [thread]);
  return (
    <PlainButton
      ref={button}
      className={classes.offer}
      style={placeOf(selected.box)}
      // A press would otherwise end the selection before it is quoted.
      onPointerDown={(event) => event.preventDefault()}
      onClick={onQuote}
    >
      <IconQuote aria-hidden />
      {t('com_chat_quote')}
    </PlainButton>
  );
}

/** The height of the button with the space around it, in pixels. */
const ROOM = 52;

/** Lines may be much shorter than their paragraph: it stays near their beginning. */
const NEAR = 120;

/** Above the selection, or below it where there is no room; on touch screens below, as their own menu is above. */
function placeOf({ top, bottom, left, width }: DOMRect): CSSProperties {
  const isBelow = isTouchDevice() || top < 2 * ROOM;
  const isRoomBelow = bottom + ROOM < window.innerHeight;
  const y = isBelow && isRoomBelow ? bottom + ROOM / 6 : Math.max(top - ROOM, ROOM / 6);
  return {
    insetBlockStart: y,
    left: Math.min(Math.max(left + Math.min(width / 2, NEAR), ROOM), window.innerWidth - ROOM),
  };
}

interface SelectedText {
  text: string;
  /** The place of the selection on the screen. */
  box: DOMRect;
}

/** A selection that is being dragged is left alone for so long, in milliseconds. */
const SETTLES_AFTER_MS = 200;

/** The text that is selected within one message of the thread; null without any. */
function useSelectedText(thread: RefObject<HTMLElement | null>): [SelectedText | null, () => void] {
  const [selected, setSelected] = useState<SelectedText | null>(null);
  const isShown = selected !== null;
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    // A caret that moves, as while one types, is no selection.
    const onChange = () => {
      clearTimeout(timer);
      const isEmpty = document.getSelection()?.isCollapsed !== false;
      if (!isEmpty) timer = setTimeout(() => setSelected(readSelection(thread.current)), SETTLES_AFTER_MS);
      else if (isShown) setSelected(null);
    };
    document.addEventListener('selectionchange', onChange);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('selectionchange', onChange);
    };
  }, [thread, isShown]);
  return [selected, () => setSelected(null)];
}

function readSelection(thread: HTMLElement | null): SelectedText | null {
  const selection = document.getSelection();
  if (!thread || !selection || selection.isCollapsed || selection.rangeCount === 0) return null;
  const text = selection.toString();
  const range = selection.getRangeAt(0).cloneRange();
  const start = range.startContainer instanceof Element ? range.startContainer : range.startContainer.parentElement;
  const article = start?.closest('article');
  if (!article || !thread.contains(article) || start?.closest('form') || text.trim() === '') return null;
  if (!article.contains(range.endContainer)) {
    // Three clicks select up to the beginning of what follows, which may be another message.
    range.setEnd(article, article.childNodes.length);
    if (!withoutSpace(range.toString()).startsWith(withoutSpace(text))) return null;
  }
  return { text, box: boxOf(selection.getRangeAt(0), article) };
}

/** The lines that are selected, of this message only. */
function boxOf(range: Range, article: Element): DOMRect {
  const { bottom: end } = article.getBoundingClientRect();
  const boxes = [...range.getClientRects()].filter(({ width, top }) => width > 0 && top < end);
  const [left, right] = [Math.min(...boxes.map((one) => one.left)), Math.max(...boxes.map((one) => one.right))];
  const [top, bottom] = [Math.min(...boxes.map((one) => one.top)), Math.max(...boxes.map((one) => one.bottom))];
  return boxes.length === 0 ? range.getBoundingClientRect() : new DOMRect(left, top, right - left, bottom - top);
}

function withoutSpace(text: string): string {
  return text.replaceAll(/\s+/g, '');
}
