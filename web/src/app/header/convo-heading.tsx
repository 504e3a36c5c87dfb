// The title of the conversation in the header, and the menu of what can be done with it.
import '../../locales/load/convos.ts';
import '../../locales/load/heading.ts';
import '../../locales/load/temporary.ts';
import type { Convo } from '@parley/schema/convos/convos';
import { useAtom } from 'jotai';
import { useEffect, useRef, useState, type KeyboardEvent, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { useRename } from '../../convos/actions/use-rename.ts';
import { useOpenConvo } from '../../convos/open-convo.ts';
import { renamedConvoAtom } from '../../convos/renamed-convo.ts';
import { LazyBoundary } from '../../ui/lazy/lazy-boundary.tsx';
import { lazyScreen } from '../../ui/lazy/lazy-screen.tsx';
import { DotsButton } from '../../ui/menu/dots-button.tsx';
import { isTemporary } from '../../chat/is-temporary.ts';
import type { Chat } from '../../chat/use-chat.ts';
import classes from './convo-heading.module.css';
import { useFirstWords } from './use-first-words.ts';
import { useNarrowHeader } from './use-narrow-header.ts';

const menu = lazyScreen(async () => (await import('./convo-menu.tsx')).ConvoMenu, 'ahead');

/** The server's limit, in characters. */
const LONGEST_TITLE = 255;

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

  if (convo && renamed === id) return <TitleField convo={convo} title={title} onFinish={finish} />;
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
        <DotsButton buttonProps={more} ref={moreButton} preload={menu.preload} onOpen={() => setWanted(true)} />
      )}
      {convo && isWanted && (
        <LazyBoundary onFailure={() => setWanted(false)}>
          <menu.Screen convo={convo} buttonProps={more} onRename={renameFromMenu} />
        </LazyBoundary>
      )}
    </div>
  );
}

interface TitleFieldProps {
  convo: Convo;
  title: string;
  /** Called once, with whether the field still has the focus. */
  onFinish: (hasFocus: boolean) => void;
}

/** Edits the title in place: Enter and blur save a changed title, Escape cancels. */
function TitleField({ convo: { conversationId }, title, onFinish }: TitleFieldProps) {
  const { t } = useTranslation();
  const rename = useRename();
  const isFinished = useRef(false);

  function finish(written: string | null, hasFocus: boolean): void {
    if (isFinished.current) return;
    isFinished.current = true;
    const next = written?.trim();
    if (next && next !== title) rename({ conversationId, title: next });
    onFinish(hasFocus);
  }

  function onKeyDown(event: KeyboardEvent<HTMLInputElement>): void {
    // Enter and Escape during an IME composition belong to the input method.
    if (event.nativeEvent.isComposing || (event.key !== 'Enter' && event.key !== 'Escape')) return;
    event.preventDefault();
    event.stopPropagation();
    finish(event.key === 'Enter' ? event.currentTarget.value : null, true);
  }

  return (
    <input
      className={classes.field}
      data-renaming
      aria-label={t('com_ui_rename_label')}
      defaultValue={title}
      maxLength={LONGEST_TITLE}
      dir="auto"
      enterKeyHint="done"
      autoComplete="off"
      // The user has just chosen to rename it.
      // oxlint-disable-next-line jsx-a11y/no-autofocus
      autoFocus
      onFocus={(event) => event.currentTarget.select()}
      onKeyDown={onKeyDown}
      onBlur={(event) => finish(event.currentTarget.value, false)}
    />
  );
}

function visible(...buttons: (HTMLElement | null)[]): HTMLElement | null | undefined {
  return buttons.find((button) => button?.checkVisibility());
}
