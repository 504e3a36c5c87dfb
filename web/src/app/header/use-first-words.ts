import { messageText, type Message } from '@parley/schema/messages/messages';
import { useSetAtom } from 'jotai';
import { useEffect } from 'react';
import { firstWordsAtom, firstWords, withTitle } from '../../convos/pending-changes.ts';
import type { Chat } from '../../chat/use-chat.ts';

/** The first words of the question of a conversation without a title; the lists show them, too. */
export function useFirstWords({ convo, slot, path, findMessage }: Chat): string | null {
  const setWords = useSetAtom(firstWordsAtom);
  const hasTitle = convo !== undefined && convo.title !== null;
  const words = hasTitle ? null : wordsOf(findMessage(path[0]?.messageId ?? ''));
  const { conversationId } = slot;
  useEffect(() => {
    if (words) setWords((titles) => withTitle(titles, conversationId, words));
  }, [conversationId, words, setWords]);
  return words;
}

function wordsOf(question: Message | undefined): string | null {
  return question ? firstWords(messageText(question)) : null;
}
