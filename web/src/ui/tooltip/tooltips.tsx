// The tooltips of the whole page: one element shows the text of `data-tooltip` of what is under the pointer or has the
// focus, and the keys of the shortcut that `data-shortcut` names. It is in the top layer, so that no list clips it and no dialog covers it.
import { useEffect, useRef } from 'react';
import classes from './tooltips.module.css';

/** Pixels between the tooltip and its element, and between it and the edges of the page. */
const GAP_PX = 6;

/** Milliseconds of rest before it shows. */
const SHOW_AFTER_MS = 400;

interface TooltipsProps {
  /** The keys of a shortcut as they are bound now; empty where it is off. */
  keysOf: (shortcut: string) => string;
}

export function Tooltips({ keysOf }: TooltipsProps) {
  const bubble = useRef<HTMLDivElement>(null);
  useEffect(() => (bubble.current ? follow(bubble.current, keysOf) : undefined), [keysOf]);
  // The element has an accessible name of its own.
  return <div ref={bubble} className={classes.tooltip} popover="manual" aria-hidden data-testid="tooltip" />;
}

function follow(bubble: HTMLDivElement, keysOf: TooltipsProps['keysOf']): () => void {
  const listeners = new AbortController();
  let target: HTMLElement | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function hide(): void {
    clearTimeout(timer);
    target = null;
    if (bubble.matches(':popover-open')) bubble.hidePopover();
  }

  function show(): void {
    const text = target?.dataset.tooltip;
    // Its own menu is more useful than a tooltip above it.
    if (!target?.isConnected || !text || target.closest('[aria-expanded=true]:not([data-cut])')) return hide();
    bubble.replaceChildren(text, ...keysBeside(target, keysOf));
    bubble.showPopover();
    placeTooltip(bubble, target);
  }

  function aim(found: HTMLElement | null, delay: number): void {
    if (found === target) return;
    hide();
    target = found;
    if (found) timer = setTimeout(show, delay);
  }

  function onPointerOver({ target: under, pointerType }: PointerEvent): void {
    if (pointerType !== 'touch') aim(tippedFrom(under), SHOW_AFTER_MS);
  }

  function onFocus({ target: focused }: FocusEvent): void {
    if (focused instanceof HTMLElement && focused.matches(':focus-visible')) aim(tippedFrom(focused), 0);
  }

  function onKeyDown({ key }: KeyboardEvent): void {
    if (key === 'Escape') hide();
  }

  const options = { signal: listeners.signal, capture: true, passive: true };
  document.addEventListener('pointerover', onPointerOver, options);
  document.addEventListener('focusin', onFocus, options);
  document.addEventListener('focusout', hide, options);
  document.addEventListener('pointerdown', hide, options);
  document.addEventListener('keydown', onKeyDown, options);
  document.addEventListener('scroll', hide, options);
  document.documentElement.addEventListener('pointerleave', hide, { signal: listeners.signal });
  return () => {
    listeners.abort();
    hide();
  };
}

function keysBeside({ dataset }: HTMLElement, keysOf: TooltipsProps['keysOf']): HTMLElement[] {
  const keys = dataset.shortcut ? keysOf(dataset.shortcut) : '';
  if (keys === '') return [];
  const shown = document.createElement('kbd');
  shown.textContent = keys;
  return [shown];
}

/** The innermost element with a tooltip; one with `data-cut` has it only where its text is cut. */
function tippedFrom(target: EventTarget | null): HTMLElement | null {
  const found = target instanceof Element ? target.closest<HTMLElement>('[data-tooltip]') : null;
  return found && 'cut' in found.dataset && !isCut(found) ? tippedFrom(found.parentElement) : found;
}

function isCut(element: HTMLElement): boolean {
  return [element, ...element.children].some(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth);
}

/** Puts a visible tooltip below its element, or above where there is no room. */
function placeTooltip(tooltip: HTMLElement, target: HTMLElement): void {
  const { left, top, bottom, width } = target.getBoundingClientRect();
  const own = tooltip.getBoundingClientRect();
  const { clientWidth, clientHeight } = document.documentElement;
  const x = Math.max(GAP_PX, Math.min(left + (width - own.width) / 2, clientWidth - own.width - GAP_PX));
  const below = bottom + GAP_PX;
  const y = below + own.height + GAP_PX > clientHeight ? top - own.height - GAP_PX : below;
  tooltip.style.translate = `${Math.round(x)}px ${Math.round(Math.max(GAP_PX, y))}px`;
}
