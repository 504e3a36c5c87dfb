import type { Message } from '@parley/schema/messages/messages';
import { atom, useAtomValue } from 'jotai';
import { useLayoutEffect, useMemo, useState, useTransition } from 'react';
import { exchangesAtom } from '../exchanges/exchange.ts';

/** The reply as folded so far while its exchange lasts, else the stored message. While it is written, drawing it waits. */
export function useLiveReply(message: Message, isWriting: boolean): Message {
  const { generationId } = message;
  const live = useMemo(
    () =>
      atom((get) => {
        const atoms = generationId === null ? undefined : get(exchangesAtom).get(generationId);
        return atoms && get(atoms.reply);
      }),
    [generationId],
  );
  return useDeferred(useAtomValue(live) ?? message, isWriting);
}

/**
 * Renders the latest value in a transition: a key press interrupts it, and the previous value stays until it completes.
 * Completes one render before it starts the next. Without `isDeferred` the value renders at once.
 */
function useDeferred<T>(value: T, isDeferred: boolean): T {
  const [shown, setShown] = useState(value);
  const [isDrawing, draw] = useTransition();
  if (!isDeferred && shown !== value) setShown(value);
  useLayoutEffect(() => {
    if (isDeferred && !isDrawing && shown !== value) draw(() => setShown(value));
  }, [isDeferred, isDrawing, shown, value]);
  return isDeferred ? shown : value;
}
