// The title of the conversation in the header.
import { useAtom, useSetAtom } from 'jotai';
import { useEffect, useRef, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { messageText, type Message } from '@parley/schema/messages/messages';
import { useOpenConvo } from '../../convos/open-convo.ts';
import { renamedConvoAtom } from '../../convos/renamed-convo.ts';
import { TitleInput } from '../../convos/title-input.tsx';
import { isTemporary } from '../../chat/is-temporary.ts';
import type { Chat } from '../../chat/use-chat.ts';
import { useNarrowHeader } from './use-narrow-header.ts';
import { firstWordsAtom, firstWords, withTitle } from '../../convos/pending-changes.ts';
import classes from './convo-heading.module.css';

interface ConvoHeadingProps {
  chat: Chat;
  /** The button of the chat's menu. */
  moreButton: RefObject<HTMLButtonElement | null>;
}

/** Shows the title. A click renames it in place, on a phone a row of the menu. */
export function ConvoHeading({ chat, moreButton }: ConvoHeadingProps) {
  const { t } = useTranslation();
  const words = useFirstWords(chat);
  const open = useOpenConvo();
  const { convo = null } = chat;
  const [renamed, setRenamed] = useAtom(renamedConvoAtom);
  const isNarrow = useNarrowHeader();
  const heading = useRef<HTMLButtonElement>(null);
  const listed = open?.conversationId === convo?.conversationId ? open?.title : null;
  const id = convo?.conversationId ?? null;
  const isOfList = !isTemporary(chat);
  const title = isOfList ? (listed ?? convo?.title ?? words ?? t('com_ui_new_chat')) : t('com_temporary');

  // A conversation that is left is no longer renamed, also where its field had no time to lose the focus.
  useEffect(() => () => setRenamed(null), [setRenamed]);

  function finish(hasFocus: boolean): void {
    setRenamed(null);
    if (hasFocus)
      requestAnimationFrame(() => visible(heading.current, moreButton.current)?.focus({ preventScroll: true }));
  }

  if (convo && renamed === id)
    return <TitleInput convo={convo} title={title} className={classes.field} onFinish={finish} />;
  if (isNarrow || !isOfList) {
    return (
      <span className={classes.title} dir="auto" data-testid="convo-title">
        {title}
      </span>
    );
  }
  return (
    <button
      ref={heading}
      type="button"
      className={classes.title}
      dir="auto"
      disabled={!convo}
      data-testid="convo-title"
      data-tooltip={t('com_ui_rename')}
      onClick={() => setRenamed(id)}
    >
      {title}
    </button>
  );
}

function visible(...buttons: (HTMLElement | null)[]): HTMLElement | null | undefined {
  return buttons.find((button) => button?.checkVisibility());
}

/** The first words of the question of a conversation without a title; the lists show them, too. */
function useFirstWords({ convo, slot, path, findMessage }: Chat): string | null {
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
