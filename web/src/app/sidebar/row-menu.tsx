import { Menu } from '@mantine/core';
import type { Convo } from '@parley/schema/convos/convos';
import {
  IconArchive,
  IconArrowDown,
  IconArrowUp,
  IconExternalLink,
  IconFolder,
  IconGitFork,
  IconMailOpened,
  IconPencil,
  IconPin,
  IconPinnedOff,
  IconShare,
  IconSquareCheck,
  IconTrash,
} from '@tabler/icons-react';
import type { MouseEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { ConvoMenuButton } from './more-button.tsx';
import { useMenu } from '../../ui/menu/use-menu.ts';
import { MenuRow } from '../../ui/menu/menu-row.tsx';
import { useArchive } from '../../convos/actions/use-archive.ts';
import { useFork } from '../../convos/actions/use-fork.ts';
import { useArrangePins } from '../../convos/actions/use-arrange-pins.ts';
import { usePinnedConvos } from '../../convos/use-convos.ts';
import { usePin } from '../../convos/actions/use-pin.ts';
import { useRemove } from '../../convos/actions/use-remove.ts';
import { useStartup } from '../../startup.ts';
import { useShowDialog, type Dialog } from '../../dialogs/open-dialog.ts';
import { showToast } from '../../ui/toast/toast.ts';
import { trpc } from '../../trpc.ts';
import { useUpdateLists } from '../../convos/changes/use-update-lists.ts';

export interface RowMenuProps {
  convo: Convo;
  onRename: () => void;
  onSelect: () => void;
}

/** The menu of a row, mounted open. */
export function OpenRowMenu({ convo, onRename, onSelect }: RowMenuProps) {
  const { t } = useTranslation();
  const { button, focusButton, menu, dropdown } = useMenu();
  const archive = useArchive();
  const fork = useFork();
  const markUnread = useMarkUnread();
  const remove = useRemove();
  const show = useShowDialog();
  const canShare = useStartup()?.sharedLinksEnabled ?? true;
  const { conversationId } = convo;

  /** The dialog returns the focus to what had it: the button, since the menu goes. */
  function open(dialog: Dialog): void {
    focusButton();
    show(dialog);
  }

  /** A row that changes its place loses the focus. */
  function focusMoved(): void {
    requestAnimationFrame(() => requestAnimationFrame(focusButton));
  }

  /** Ctrl or Shift deletes without asking: it can be undone. */
  function onRemove(event: MouseEvent): void {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return remove([conversationId]);
    open({ name: 'remove', convos: [convo] });
  }

  return (
    <Menu {...menu} position="bottom-end" width={190}>
      <Menu.Target>
        <ConvoMenuButton ref={button} convo={convo} />
      </Menu.Target>
      <Menu.Dropdown {...dropdown}>
        <MenuRow icon={IconPencil} onClick={onRename}>
          {t('com_ui_rename')}
        </MenuRow>
        <PinRows convo={convo} onMoved={focusMoved} />
        <Menu.Item
          component="a"
          href={`/c/${conversationId}`}
          target="_blank"
          leftSection={<IconExternalLink aria-hidden />}
        >
          {t('com_ui_open_tab')}
        </Menu.Item>
        {canShare && (
          <MenuRow icon={IconShare} onClick={() => open({ name: 'share', conversationId })}>
            {t('com_share')}
          </MenuRow>
        )}
        <MenuRow icon={IconGitFork} onClick={() => void fork(convo)}>
          {t('com_ui_fork')}
        </MenuRow>
        <MenuRow icon={IconArchive} onClick={() => archive([convo], true)}>
          {t('com_ui_archive')}
        </MenuRow>
        <MenuRow icon={IconFolder} onClick={() => open({ name: 'move', convos: [convo] })}>
          {t('com_ui_folder_move')}
        </MenuRow>
        {!convo.isUnread && (
          <MenuRow icon={IconMailOpened} onClick={() => markUnread(conversationId)}>
            {t('com_ui_mark_unread')}
          </MenuRow>
        )}
        <MenuRow icon={IconSquareCheck} onClick={onSelect}>
          {t('com_ui_select')}
        </MenuRow>
        <Menu.Divider />
        <MenuRow icon={IconTrash} onClick={onRemove}>
          {t('com_ui_delete')}
        </MenuRow>
      </Menu.Dropdown>
    </Menu>
  );
}

/** Pins it or not, and moves it among the pinned ones. */
function PinRows({ convo, onMoved }: { convo: Convo; onMoved: () => void }) {
  const { t } = useTranslation();
  const pin = usePin();
  const { conversationId, isPinned } = convo;
  return (
    <>
      <MenuRow icon={isPinned ? IconPinnedOff : IconPin} onClick={() => pin(conversationId, !isPinned)}>
        {isPinned ? t('com_ui_unpin') : t('com_ui_pin')}
      </MenuRow>
      {isPinned && <PinMoves convo={convo} onMoved={onMoved} />}
    </>
  );
}

function PinMoves({ convo, onMoved }: { convo: Convo; onMoved: () => void }) {
  const { t } = useTranslation();
  const pinned = usePinnedConvos();
  const arrange = useArrangePins();
  const index = pinned.findIndex((one) => one.conversationId === convo.conversationId);
  if (index < 0 || pinned.length < 2) return null;

  function move(to: number): void {
    arrange(convo, to);
    onMoved();
  }

  return (
    <>
      <MenuRow icon={IconArrowUp} disabled={index === 0} onClick={() => move(index - 1)}>
        {t('com_ui_pin_up')}
      </MenuRow>
      <MenuRow icon={IconArrowDown} disabled={index === pinned.length - 1} onClick={() => move(index + 1)}>
        {t('com_ui_pin_down')}
      </MenuRow>
    </>
  );
}

/** Returns a function that marks a convo as unread. */
function useMarkUnread(): (conversationId: string) => void {
  const { t } = useTranslation();
  const changeList = useUpdateLists();
  const { mutate } = trpc.convos.update.useMutation({
    onSuccess: (convo) => changeList([{ type: 'convo', convo }]),
    onError: () => showToast({ message: t('com_ui_mark_unread_failed'), severity: 'error' }),
  });
  return (conversationId) => mutate({ conversationId, isUnread: true });
}
