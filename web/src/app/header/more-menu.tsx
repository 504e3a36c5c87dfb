import { Menu } from '@mantine/core';
import {
  IconAdjustmentsHorizontal,
  IconBinaryTree2,
  IconBookmark,
  IconGhost2,
  IconLayoutSidebarRight,
  IconListSearch,
  IconListTree,
} from '@tabler/icons-react';
import { useSetAtom, useStore } from 'jotai';
import { useTranslation } from 'react-i18next';
import { openFind } from '../../chat/find-in-chat.ts';
import { isTemporary } from '../../chat/is-temporary.ts';
import { hasOutline } from '../../chat/tree/outline-rows.ts';
import type { Chat } from '../../chat/use-chat.ts';
import { useOpenConvo } from '../../convos/open-convo.ts';
import { boundKeys } from '../../layout/bound-keys.ts';
import { shownKeys } from '../../layout/shortcuts.ts';
import { changedParams, offersParams } from '../../params/shown-params.ts';
import { FOCUS, focusAfterRender } from '../../side-panel/focus-after-render.ts';
import { useSidePanel } from '../../side-panel/panel-state.ts';
import { slotAtom, useSlotIndex } from '../../slots/slot.ts';
import { DotsMenu, type DotsMenuProps } from '../../ui/menu/dots-menu.tsx';
import { MenuRow } from '../../ui/menu/menu-row.tsx';
import { ConvoMenuRows, PrintRow } from './convo-menu-rows.tsx';
import type { HeaderPart } from './header-more.tsx';
import classes from './header-more.module.css';
import { useHasPanelRow } from './use-has-more.ts';
import { useHasPluginBar } from './use-has-plugin-bar.ts';

interface MoreMenuProps extends Pick<DotsMenuProps, 'buttonProps'> {
  chat: Chat;
  /** The header has no room for buttons of their own. */
  isNarrow: boolean;
  onOpen: (part: HeaderPart) => void;
  onRename: () => void;
}

/** The menu of the header, mounted open: what concerns the chat, then the conversation. */
export function MoreMenu({ chat, buttonProps, isNarrow, onOpen, onRename }: MoreMenuProps) {
  const open = useOpenConvo();
  const hasPanelRow = useHasPanelRow();
  const convo = isTemporary(chat) ? null : (chat.convo ?? null);
  const listed = open?.conversationId === convo?.conversationId ? open?.title : null;
  const title = listed ?? convo?.title;
  return (
    <DotsMenu buttonProps={buttonProps} position="bottom-end" width={260}>
      {isNarrow && title && (
        <Menu.Label className={classes.title} dir="auto">
          {title}
        </Menu.Label>
      )}
      {isNarrow && <ChatRows chat={chat} onOpen={onOpen} />}
      {hasPanelRow && <PanelRow />}
      {chat.path.length > 0 && <FindRow />}
      {chat.path.length > 0 && !convo && <PrintRow />}
      {convo && (
        <>
          <Menu.Divider />
          <ConvoMenuRows convo={convo} hasShare={isNarrow} onRename={onRename} />
        </>
      )}
    </DotsMenu>
  );
}

function ChatRows({ chat, onOpen }: Pick<MoreMenuProps, 'chat' | 'onOpen'>) {
  const { t } = useTranslation();
  const setSlot = useSetAtom(slotAtom(useSlotIndex()));
  const hasPluginBar = useHasPluginBar(chat);
  const { modelTarget, slot, tree, path } = chat;
  const isOn = isTemporary(chat);
  const settings = modelTarget?.settings ?? {};
  const changed = changedParams(settings);
  const hasParams =
    modelTarget &&
    !hasPluginBar &&
    offersParams({ type: modelTarget.endpointType, model: modelTarget.model, settings, isNewChat: slot.isNewChat });
  return (
    <>
      {slot.isNewChat && (
        <MenuRow icon={IconGhost2} onClick={() => setSlot((before) => ({ ...before, isTemporary: !isOn }))}>
          {isOn ? t('com_temporary_end') : t('com_temporary_start')}
        </MenuRow>
      )}
      {hasOutline(path) && (
        <MenuRow icon={IconListTree} onClick={() => onOpen('outline')}>
          {t('com_chat_outline')}
        </MenuRow>
      )}
      {tree.byId.size > path.length && (
        <MenuRow icon={IconBinaryTree2} onClick={() => onOpen('map')}>
          {t('com_chat_tree')}
        </MenuRow>
      )}
      {hasParams && (
        <MenuRow icon={IconAdjustmentsHorizontal} onClick={() => onOpen('params')}>
          {changed > 0 ? t('com_params_changed', { count: changed }) : t('com_params')}
        </MenuRow>
      )}
      <MenuRow icon={IconBookmark} onClick={() => onOpen('presets')}>
        {t('com_endpoint_presets')}
      </MenuRow>
    </>
  );
}

function FindRow() {
  const { t } = useTranslation();
  const store = useStore();
  return (
    <MenuRow
      icon={IconListSearch}
      keys={shownKeys(boundKeys('find'), t)}
      // The focus returns to the button of the menu first.
      onClick={() => requestAnimationFrame(() => openFind(store))}
    >
      {t('com_find')}
    </MenuRow>
  );
}

function PanelRow() {
  const { t } = useTranslation();
  const { isNarrow, open } = useSidePanel();

  function show(): void {
    open();
    if (!isNarrow) focusAfterRender(FOCUS.open);
  }

  return (
    <MenuRow icon={IconLayoutSidebarRight} onClick={show}>
      {t('com_sidepanel_show')}
    </MenuRow>
  );
}
