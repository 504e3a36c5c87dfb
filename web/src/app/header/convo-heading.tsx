// The title of the conversation in the header, and the menu of what can be done with it.
import { useAtom } from 'jotai';
import { useEffect, useRef, useState, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { useOpenConvo } from '../../convos/open-convo.ts';
import { renamedConvoAtom } from '../../convos/renamed-convo.ts';
import { TitleInput } from '../../convos/title-input.tsx';
import { LazyBoundary } from '../../ui/lazy/lazy-boundary.tsx';
import { DotsButton } from '../../ui/menu/dots-button.tsx';
import { isTemporary } from '../../chat/is-temporary.ts';
import type { Chat } from '../../chat/use-chat.ts';
import classes from './convo-heading.module.css';
import { useFirstWords } from './use-first-words.ts';
import { useNarrowHeader } from './use-narrow-header.ts';
import { convoMenu } from '../lazy/lazy-menus.ts';

interface ConvoHeadingProps {
  chat: Chat;
  /** The button of the menu, here or in a narrow header beside it. */
  moreButton: RefObject<HTMLButtonElement | null>;
}

/** Shows the title, which a click renames in place, and opens the menu of the conversation. */
export function ConvoHeading({ chat, moreButton }: ConvoHeadingProps) {
  const { t } = useTranslation();
  const words = useFirstWords(chat);
  const open = useOpenConvo();
  const { convo = null } = chat;
  const [renamed, setRenamed] = useAtom(renamedConvoAtom);
  const isNarrow = useNarrowHeader();
  const [isWanted, setWanted] = useState(false);
  const heading = useRef<HTMLButtonElement>(null);
  const listed = open?.conversationId === convo?.conversationId ? open?.title : null;
  const id = convo?.conversationId ?? null;
  const title = listed ?? convo?.title ?? words ?? t('com_ui_new_chat');

  // A conversation that is left is no longer renamed, also where its field had no time to lose the focus.
  useEffect(() => () => setRenamed(null), [setRenamed]);

  function finish(hasFocus: boolean): void {
    setRenamed(null);
    if (hasFocus)
      requestAnimationFrame(() => visible(heading.current, moreButton.current)?.focus({ preventScroll: true }));
  }

  function renameFromMenu(): void {
    setWanted(false);
    setRenamed(id);
  }

  if (convo && renamed === id)
    return <TitleInput convo={convo} title={title} className={classes.field} onFinish={finish} />;
  if (isNarrow) return null;
  if (isTemporary(chat)) {
    return (
      <div className={classes.heading}>
        <span className={classes.title}>{t('com_temporary')}</span>
      </div>
    );
  }
  const more = { label: t('com_convo_menu'), 'aria-haspopup': 'menu', 'data-testid': 'convo-menu-button' } as const;
  return (
    <div className={classes.heading}>
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
      {convo && !isWanted && (
        <DotsButton buttonProps={more} ref={moreButton} preload={convoMenu.preload} onOpen={() => setWanted(true)} />
      )}
      {convo && isWanted && (
        <LazyBoundary onFailure={() => setWanted(false)}>
          <convoMenu.Screen convo={convo} buttonProps={more} onRename={renameFromMenu} />
        </LazyBoundary>
      )}
    </div>
  );
}

function visible(...buttons: (HTMLElement | null)[]): HTMLElement | null | undefined {
  return buttons.find((button) => button?.checkVisibility());
}
