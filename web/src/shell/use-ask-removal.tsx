import type { Convo } from '@parley/schema/convos';
import { lazy, Suspense, useCallback, useEffect, useState, type ReactNode } from 'react';
import { useRemove } from './use-remove.ts';

export const loadDeleteDialog = () => import('./delete-dialog.tsx');
const DeleteDialog = lazy(async () => ({ default: (await loadDeleteDialog()).DeleteDialog }));

interface Doomed {
  convo: Convo;
  /** What had the focus when the question came up. */
  asker: Element | null;
}

/** `askRemoval` opens a dialog that deletes the convo once confirmed; `dialog` is where it appears. */
export function useAskRemoval(): { askRemoval: (convo: Convo) => void; dialog: ReactNode } {
  const [doomed, setDoomed] = useState<Doomed | null>(null);
  const [returnTo, setReturnTo] = useState<Element | null>(null);
  const remove = useRemove();
  useFocusUnlessTaken(returnTo);

  const askRemoval = useCallback((convo: Convo) => {
    setReturnTo(null);
    setDoomed({ convo, asker: document.activeElement });
  }, []);

  function close(focusOn: Element | null): void {
    setReturnTo(focusOn);
    setDoomed(null);
  }

  function confirm({ convo, asker }: Doomed): void {
    close(neighbourOf(asker));
    remove({ conversationId: convo.conversationId });
  }

  const dialog = doomed && (
    <Suspense fallback={null}>
      <DeleteDialog convo={doomed.convo} onCancel={() => close(doomed.asker)} onConfirm={() => confirm(doomed)} />
    </Suspense>
  );
  return { askRemoval, dialog };
}

function useFocusUnlessTaken(element: Element | null): void {
  useEffect(() => {
    if (!(element instanceof HTMLElement) || document.activeElement !== document.body) return;
    element.focus();
    // The row may have folded its buttons away meanwhile.
    if (document.activeElement !== element) element.closest('li')?.querySelector('a')?.focus();
  }, [element]);
}

/** The link of the row after, or else before, the row this element is in. */
function neighbourOf(element: Element | null): Element | null {
  const links = [...document.querySelectorAll('[data-testid="convo-item"]')];
  const row = element?.closest('li');
  const index = links.findIndex((link) => row?.contains(link));
  return links[index + 1] ?? links[index - 1] ?? null;
}
