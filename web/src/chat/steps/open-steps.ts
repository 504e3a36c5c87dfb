import { useAtomValue } from 'jotai';
import { useState } from 'react';
import { onClearPersonalData } from '../../lib/personal-data.ts';
import { settingAtom } from '../../stored-settings.ts';

/** The steps that their reader opened or closed. A thread forgets the rows that scroll out of view. */
const chosen = new Map<string, boolean>();
onClearPersonalData(() => chosen.clear());

/** Whether a step is open: while it runs, or always by the setting, unless its reader has chosen otherwise. */
export function useStepOpen(key: string, isRunning: boolean): [boolean, () => void] {
  const [choice, setChoice] = useState(() => chosen.get(key));
  const isAlwaysOpen = useAtomValue(settingAtom('showCode'));
  const isOpen = choice ?? (isRunning || isAlwaysOpen);
  function toggle(): void {
    chosen.set(key, !isOpen);
    setChoice(!isOpen);
  }
  return [isOpen, toggle];
}
