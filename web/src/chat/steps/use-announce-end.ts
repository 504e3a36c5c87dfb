import { useStore } from 'jotai';
import { useEffect, useState } from 'react';
import { onClearPersonalData } from '../../lib/personal-data.ts';
import { finishedStepAtom } from '../finished.ts';

/** What was announced already, by the key of its step: a row that scrolls back into view is not announced again. */
const announced = new Map<string, string>();
onClearPersonalData(() => announced.clear());

/** Announces a step once when it ends, or begins to wait for its reader. Steps of stored messages are silent. */
export function useAnnounceEnd(key: string, sentence: string, state: { isRunning: boolean; isWriting: boolean }): void {
  const { isRunning, isWriting } = state;
  const store = useStore();
  const [wasWriting, setWasWriting] = useState(isWriting);
  if (isWriting && !wasWriting) setWasWriting(true);
  useEffect(() => {
    if (isRunning || !wasWriting || announced.get(key) === sentence) return;
    announced.set(key, sentence);
    store.set(finishedStepAtom, { key, sentence });
  }, [isRunning, wasWriting, key, sentence, store]);
}
