// The menu of the chat: what is done seldom and, in a narrow header, what has no room of its own; and the popovers and
// dialogs that its rows open.
import { useSetAtom } from 'jotai';
import type { RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { changedParams } from '../../params/shown-params.ts';
import { isTemporary } from '../../chat/is-temporary.ts';
import type { Chat } from '../../chat/use-chat.ts';
import { renamedConvoAtom } from '../../convos/renamed-convo.ts';
import { FOCUS } from '../../side-panel/focus-after-render.ts';
import { useSetModel } from '../../slots/use-set-model.ts';
import { LazyBoundary } from '../../ui/lazy/lazy-boundary.tsx';
import { useMenuPart } from '../../ui/menu/use-menu-part.ts';
import { DotsButton } from '../../ui/menu/dots-button.tsx';
import classes from './header-more.module.css';
import { outline, paramsPopover, presetMenu, treeMap } from '../../chat/lazy-panels.ts';
import { moreMenu } from '../lazy/lazy-menus.ts';
import { useNarrowHeader } from './use-narrow-header.ts';

export type HeaderPart = 'params' | 'presets' | 'outline' | 'map';

export function HeaderMore({ chat, button }: { chat: Chat; button: RefObject<HTMLButtonElement | null> }) {
  const { t } = useTranslation();
  const setRenamed = useSetAtom(renamedConvoAtom);
  const { isWanted, setWanted, part, open, close } = useMenuPart<HeaderPart>(button);
  const isNarrow = useNarrowHeader();
  const isChanged = changedParams(chat.modelTarget?.settings ?? {}) > 0;
  const more = {
    className: classes.button,
    label: t(isNarrow || !chat.convo ? 'com_ui_more' : 'com_convo_menu'),
    'aria-haspopup': 'menu',
    'data-testid': isNarrow ? 'header-more' : 'convo-menu-button',
    [FOCUS.hidden]: '',
    'data-changed': (isNarrow && isChanged) || undefined,
  } as const;

  return (
    <div className={classes.anchor}>
      {isWanted ? (
        <LazyBoundary onFailure={() => setWanted(false)}>
          <moreMenu.Screen
            chat={chat}
            buttonProps={more}
            isNarrow={isNarrow}
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

function Part({ part, chat, onClose }: { part: HeaderPart; chat: Chat; onClose: (takesFocus?: boolean) => void }) {
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
          isTemporary={isTemporary(chat)}
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
