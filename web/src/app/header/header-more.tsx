// What a narrow header has no room for: one button with a menu, and the popovers and dialogs that its rows open.
import { useSetAtom } from 'jotai';
import { useState, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { changedParams } from '../../params/shown-params.ts';
import type { Chat } from '../../chat/use-chat.ts';
import { renamedConvoAtom } from '../../convos/renamed-convo.ts';
import { useSetModel } from '../../slots/use-set-model.ts';
import { LazyBoundary } from '../../ui/lazy/lazy-boundary.tsx';
import { DotsButton } from '../../ui/menu/dots-button.tsx';
import classes from './header-more.module.css';
import { outline, paramsPopover, presetMenu, treeMap } from '../../chat/lazy-panels.ts';
import { moreMenu } from '../lazy/lazy-menus.ts';

export type HeaderPart = 'params' | 'presets' | 'outline' | 'map';

interface HeaderMoreProps {
  chat: Chat;
  button: RefObject<HTMLButtonElement | null>;
}

export function HeaderMore({ chat, button }: HeaderMoreProps) {
  const { t } = useTranslation();
  const setRenamed = useSetAtom(renamedConvoAtom);
  const [isWanted, setWanted] = useState(false);
  const [part, setPart] = useState<HeaderPart | null>(null);
  const isChanged = changedParams(chat.modelTarget?.settings ?? {}) > 0;
  const more = {
    className: classes.button,
    label: t('com_ui_more'),
    'aria-haspopup': 'menu',
    'data-testid': 'header-more',
    'data-changed': isChanged || undefined,
  } as const;

  function open(next: HeaderPart): void {
    setWanted(false);
    setPart(next);
  }

  function close(takesFocus = true): void {
    setPart(null);
    if (takesFocus) button.current?.focus({ preventScroll: true });
  }

  return (
    <div className={classes.anchor}>
      {isWanted ? (
        <LazyBoundary onFailure={() => setWanted(false)}>
          <moreMenu.Screen
            chat={chat}
            buttonProps={more}
            onOpen={open}
            onRename={() => {
              setWanted(false);
              setRenamed(chat.slot.conversationId);
            }}
          />
        </LazyBoundary>
      ) : (
        <DotsButton buttonProps={more} ref={button} preload={moreMenu.preload} onOpen={() => setWanted(true)} />
      )}
      {part && (
        <LazyBoundary onFailure={close}>
          <Part part={part} chat={chat} onClose={close} />
        </LazyBoundary>
      )}
    </div>
  );
}

interface PartProps {
  part: HeaderPart;
  chat: Chat;
  onClose: (takesFocus?: boolean) => void;
}

function Part({ part, chat, onClose }: PartProps) {
  const choose = useSetModel();
  const { modelTarget, slot } = chat;
  const leave = () => onClose(false);
  switch (part) {
    case 'params': {
      if (!modelTarget) return null;
      const { endpoint, model } = modelTarget;
      return (
        <paramsPopover.Screen
          chatKey={`${slot.conversationId} ${endpoint}`}
          modelTarget={modelTarget}
          isNewChat={slot.isNewChat}
          isOpen
          onClose={onClose}
          onLeave={leave}
          onChange={(settings) => choose({ endpoint, model, settings })}
        />
      );
    }
    case 'presets':
      return <presetMenu.Screen chat={chat} onClose={onClose} onLeave={leave} />;
    // A chosen message takes the focus itself.
    case 'outline':
      return <outline.Screen chat={chat} onClose={(hasChosen) => onClose(!hasChosen)} />;
    case 'map':
      return <treeMap.Screen chat={chat} onClose={(hasChosen) => onClose(!hasChosen)} />;
    default:
      return part satisfies never;
  }
}
