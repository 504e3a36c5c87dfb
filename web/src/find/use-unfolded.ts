import { useState } from 'react';
import { useEventListener } from '../ui/hooks/use-event-listener.ts';

const NONE: ReadonlySet<string> = new Set();

/** The messages whose reasoning is open on screen. */
export function useUnfolded(): ReadonlySet<string> {
  const [unfolded, setUnfolded] = useState(NONE);
  useEventListener('toggle', () => setUnfolded(unfoldedNow()), { capture: true });
  return unfolded;
}

function unfoldedNow(): ReadonlySet<string> {
  const open = document.querySelectorAll<HTMLElement>('[role=log] details[open] > [data-said]');
  const ids = [...open].flatMap((said) => said.closest<HTMLElement>('[data-message]')?.dataset.message ?? []);
  return ids.length === 0 ? NONE : new Set(ids);
}
