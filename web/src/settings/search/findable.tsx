import type { ReactNode } from 'react';
import { SettingsSearchContext, useIsFound } from './find-settings.ts';

interface FindableProps {
  /** What a search finds it by. */
  words: string;
  children: ReactNode;
}

/** A part of a tab that a search shows or hides as a whole. */
export function Findable({ words, children }: FindableProps) {
  const isFound = useIsFound(words);
  return isFound && <SettingsSearchContext value={null}>{children}</SettingsSearchContext>;
}
