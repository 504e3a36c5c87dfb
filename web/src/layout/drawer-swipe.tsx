import './drawer-swipe.css';
import { doesDraw, endsOpen, mayBegin, shownPart, type DrawerDrag } from './drawer-drag.ts';
import { useEventListener } from '../ui/hooks/use-event-listener.ts';
import { useSidebar } from './use-sidebar.ts';

const SIDEBAR = '[data-sidebar]';
/** What takes a finger for itself. */
const OWN = 'input, textarea, [contenteditable], [role=slider], [role=separator], [role=dialog], [role=menu]';

/** On a small screen a finger draws the sidebar in from its edge, and out again; the sidebar follows it. */
export function DrawerSwipe(): null {
  const { isDrawer, isOpen, toggle } = useSidebar();
  const onDown = (event: PointerEvent) => {
    const sidebar = document.querySelector<HTMLElement>(SIDEBAR);
    if (!sidebar || event.pointerType !== 'touch' || !event.isPrimary || isTaken(event.target)) return;
    const { clientX: startX, clientY: startY } = event;
    const side = getComputedStyle(sidebar).direction === 'rtl' ? -1 : 1;
    const drag: DrawerDrag = { side, width: sidebar.offsetWidth, wasOpen: isOpen, startX, startY };
    if (mayBegin(drag, window.innerWidth)) follow(sidebar, drag, (open) => open !== isOpen && toggle());
  };
  useEventListener('pointerdown', onDown, { isOn: isDrawer });
  return null;
}

/** Whether something else wants the finger: a field, what lies over the page, or a page that is enlarged. */
function isTaken(target: EventTarget | null): boolean {
  if ((window.visualViewport?.scale ?? 1) > 1 || !(target instanceof Element)) return true;
  return target.closest(OWN) !== null || target.closest('#root') === null;
}

/** Until the finger leaves, the browser takes it to scroll, or it turns out to go elsewhere. */
function follow(sidebar: HTMLElement, drag: DrawerDrag, onEnd: (isOpen: boolean) => void): void {
  const ended = new AbortController();
  const { signal } = ended;
  let isDrawing = false;
  let last = { x: drag.startX, time: performance.now() };
  let speed = 0;

  function onMove({ clientX: x, clientY: y, isPrimary }: PointerEvent): void {
    if (!isPrimary) return;
    const draws = isDrawing || doesDraw(drag, x, y);
    if (draws === false) return ended.abort();
    if (draws === null) return;
    isDrawing = true;
    const time = performance.now();
    if (time > last.time) speed = (x - last.x) / (time - last.time);
    last = { x, time };
    draw(sidebar, drag, shownPart(drag, x));
  }

  function finish(isOpen: boolean): void {
    ended.abort();
    if (!isDrawing) return;
    // What is under the finger is not pressed by it.
    window.addEventListener('click', swallow, { capture: true, once: true });
    setTimeout(() => window.removeEventListener('click', swallow, { capture: true }));
    onEnd(isOpen);
    // After the state is drawn, so that it slides on from where it is.
    requestAnimationFrame(() => sidebar.removeAttribute('style'));
  }

  document.addEventListener('pointermove', onMove, { signal });
  document.addEventListener('pointerup', ({ clientX }) => finish(endsOpen(drag, clientX, speed)), { signal });
  document.addEventListener('pointercancel', () => finish(drag.wasOpen), { signal });
}

function draw({ style }: HTMLElement, { side }: DrawerDrag, part: number): void {
  style.transition = 'none';
  style.visibility = 'visible';
  style.transform = `translateX(${-side * (1 - part) * 100}%)`;
}

function swallow(event: Event): void {
  event.preventDefault();
  event.stopPropagation();
}
