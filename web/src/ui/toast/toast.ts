// Toasts: what happened and, if possible, an undo button.
import { atom, getDefaultStore } from 'jotai/vanilla';
import type { ReactNode } from 'react';

export type Severity = 'info' | 'success' | 'warning' | 'error';

export interface Toast {
  message: ReactNode;
  severity: Severity;
  /** Milliseconds on screen, 3000 by default. */
  duration?: number;
  action?: { label: string; run: () => void };
}

export type ShownToast = Toast & { id: number };

const SHOW_AFTER_MS = 100;
const TOASTS_MAX = 3;

/** Those on screen, oldest first. */
export const toastsAtom = atom<readonly ShownToast[]>([]);
const store = getDefaultStore();
let lastId = 0;

/** Shows a toast after 100 ms. A fourth one removes the oldest, and one that says the same takes the other's place. Returns a function that dismisses it early. */
export function showToast(toast: Toast): () => void {
  lastId += 1;
  const shown = { ...toast, id: lastId };
  const show = (before: readonly ShownToast[]) =>
    [...before.filter((one) => typeof one.message !== 'string' || one.message !== shown.message), shown].slice(
      -TOASTS_MAX,
    );
  const timer = setTimeout(() => store.set(toastsAtom, show), SHOW_AFTER_MS);
  return () => {
    clearTimeout(timer);
    dismissToast(shown.id);
  };
}

export function dismissToast(id: number): void {
  store.set(toastsAtom, (before) => before.filter((toast) => toast.id !== id));
}
