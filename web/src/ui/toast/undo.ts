// The last undoable action. Its toast offers the undo for a while, and so does a shortcut.
import { i18n } from '../../i18n.ts';
import { showToast } from './toast.ts';

/** Milliseconds that an undo is offered; the toast waits longer while the pointer or the focus is on it. */
const OFFERED_MS = 8_000;

interface Undo {
  run: () => void;
  timer: ReturnType<typeof setTimeout>;
}

let last: Undo | null = null;

/** Shows what happened with an undo button that works once. */
export function showUndo(message: string, undo: () => void): void {
  forgetUndo();
  const offer = { run, timer: setTimeout(() => last === offer && forgetUndo(), OFFERED_MS) };
  last = offer;
  let isTaken = false;
  const action = { label: i18n.t('com_ui_undo'), run };
  const takeAway = showToast({ message, severity: 'success', duration: OFFERED_MS, action });

  function run(): void {
    if (isTaken) return;
    isTaken = true;
    if (last === offer) forgetUndo();
    takeAway();
    undo();
  }
}

/** Undoes the last action; false if there is none. */
export function undoLast(): boolean {
  const undo = last;
  undo?.run();
  return undo !== null;
}

function forgetUndo(): void {
  clearTimeout(last?.timer);
  last = null;
}
