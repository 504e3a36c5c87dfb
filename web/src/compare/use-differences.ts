import { readableText } from '@parley/schema/messages/messages';
import { useMemo, useState } from 'react';
import type { Chat } from '../chat/use-chat.ts';
import type { ColumnPath } from './column-paths.ts';
import { findDifferences, type Differences } from './differences.ts';

interface MarkedDifferences {
  /** Of the newest answers of two columns; null while they are not asked for, being written, or not known. */
  differences: Differences | null;
  areShown: boolean;
  toggle: () => void;
}

export function useDifferences({ findMessage, generationId }: Chat, columns: readonly ColumnPath[]): MarkedDifferences {
  const [areWanted, setWanted] = useState(false);
  const areShown = areWanted && generationId === null;
  const [left, right] = areShown ? columns.map(({ reply }) => findMessage(reply.messageId)) : [];
  const differences = useMemo(
    () => (left && right ? findDifferences(readableText(left), readableText(right)) : null),
    [left, right],
  );
  return { differences, areShown, toggle: () => setWanted(!areWanted) };
}
