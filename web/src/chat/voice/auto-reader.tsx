import { useStore } from 'jotai';
import { useEffect, useEffectEvent } from 'react';
import { readAloud } from '../../speech/read-aloud.ts';
import { useStartup } from '../../startup.ts';
import { exchangesAtom } from '../exchanges/exchange.ts';
import { replySource } from './reply-source.ts';
import { takeAnswer } from './taken-answers.ts';

/** Reads the answers to what is asked here, where the person wants that. */
export function AutoReader({ generationId }: { generationId: string | null }) {
  const store = useStore();
  const hasService = useStartup()?.readingEnabled === true;
  const read = useEffectEvent((id: string) => {
    const atoms = store.get(exchangesAtom).get(id);
    // An answer that was begun elsewhere is read there. This may be here later than the first text of it.
    if (!atoms?.isAskedHere || !takeAnswer(id) || document.visibilityState === 'hidden') return;
    void readAloud(store.get(atoms.reply).messageId, replySource(store, id), hasService);
  });
  useEffect(() => {
    if (generationId !== null) read(generationId);
  }, [generationId]);
  return null;
}
