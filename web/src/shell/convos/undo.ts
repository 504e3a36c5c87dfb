// The last thing that can be taken back. Its toast offers that for a while, and so does a key.
import { i18n } from '../../i18n.ts';
import { showToast } from '../../lib/toast.tsx';

/** Milliseconds that an undo is offered; the toast waits longer while the pointer or the focus is on it. */
const OFFERED = 8_000;

interface Undo {
  run: () => void;
  timer: ReturnType<typeof setTimeout>;
}

let last: Undo | null = null;

/** Says what happened and offers to take it back, once. */
export function showUndo(message: string, undo: () => void): void {
  forgetUndo();
  const offer = { run, timer: setTimeout(() => last === offer && forgetUndo(), OFFERED) };
  last = offer;
  let isTaken = false;
  const action = { label: i18n.t('com_ui_undo'), run };
  const takeAway = showToast({ message, severity: 'success', duration: OFFERED, action });

  function run(): void {
    if (isTaken) return;
    isTaken = true;
    if (last === offer) forgetUndo();
    takeAway();
    undo();
  }
}

/** Takes back what happened last; false when nothing can be. */
export function undoLast(): boolean {
  const undo = last;
  undo?.run();
  return undo !== null;
}

function forgetUndo(): void {
  clearTimeout(last?.timer);
  last = null;
}
