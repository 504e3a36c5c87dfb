import type { Message } from '@parley/schema/messages/messages';
import { atom, useAtomValue } from 'jotai';
import { useMemo } from 'react';
import { exchangesAtom } from '../exchanges/exchange.ts';

/** The reply as folded so far while its exchange lasts, else the stored message. */
export function useLiveReply(message: Message): Message {
  const { generationId } = message;
  const live = useMemo(
    () =>
      atom((get) => {
        const atoms = generationId === null ? undefined : get(exchangesAtom).get(generationId);
        return atoms && get(atoms.reply);
      }),
    [generationId],
  );
  return useAtomValue(live) ?? message;
}
