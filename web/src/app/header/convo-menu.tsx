import '../../locales/load/export.ts';
import '../../locales/load/fork.ts';
import '../../locales/load/shares.ts';
import { Menu } from '@mantine/core';
import type { Convo } from '@parley/schema/convos/convos';
import {
  IconArchive,
  IconDots,
  IconDownload,
  IconGitFork,
  IconPencil,
  IconShare,
  IconTrash,
} from '@tabler/icons-react';
import type { ComponentProps } from 'react';
import { useTranslation } from 'react-i18next';
import { useArchive } from '../../convos/actions/use-archive.ts';
import { useFork } from '../../convos/actions/use-fork.ts';
import { useShowDialog } from '../../dialogs/open-dialog.ts';
import { useStartup } from '../../startup.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { menuLook, MenuRow } from '../../ui/menu/menu-row.tsx';
import { useMenu } from '../../ui/menu/use-menu.ts';

interface ConvoMenuProps {
  convo: Convo;
  buttonProps: Omit<ComponentProps<typeof IconButton>, 'children'>;
  onRename: () => void;
}

/** The menu of the open conversation, mounted open. */
export function ConvoMenu({ convo, buttonProps, onRename }: ConvoMenuProps) {
  const { t } = useTranslation();
  const { button, menu, dropdown, isOpen } = useMenu();
  const archive = useArchive();
  const fork = useFork();
  const show = useShowDialog();
  const canShare = useStartup()?.sharedLinksEnabled ?? true;
  return (
    <Menu
      {...menu}
      position="bottom-start"
      width={210}
      withinPortal={false}
      floatingStrategy="fixed"
      transitionProps={{ duration: 0 }}
      classNames={menuLook}
    >
      <Menu.Target>
        <IconButton {...buttonProps} ref={button} aria-expanded={isOpen}>
          <IconDots aria-hidden />
        </IconButton>
      </Menu.Target>
      <Menu.Dropdown {...dropdown}>
        <MenuRow icon={IconPencil} onClick={onRename}>
          {t('com_ui_rename')}
        </MenuRow>
        <MenuRow icon={IconDownload} onClick={() => show({ name: 'export', conversationId: convo.conversationId })}>
          {t('com_nav_export_conversation')}
        </MenuRow>
        {canShare && (
          <MenuRow icon={IconShare} onClick={() => show({ name: 'share', conversationId: convo.conversationId })}>
            {t('com_share')}
          </MenuRow>
        )}
        <MenuRow icon={IconGitFork} onClick={() => void fork(convo)}>
          {t('com_ui_fork')}
        </MenuRow>
        <MenuRow icon={IconArchive} onClick={() => archive([convo], true)}>
          {t('com_ui_archive')}
        </MenuRow>
        <Menu.Divider />
        <MenuRow icon={IconTrash} onClick={() => show({ name: 'remove', convos: [convo] })}>
          {t('com_ui_delete')}
        </MenuRow>
      </Menu.Dropdown>
    </Menu>
  );
}
