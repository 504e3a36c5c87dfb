import '@mantine/core/styles/Popover.css';
import '@mantine/core/styles/Menu.css';
import '../convos/fork-words.ts';
import { Menu } from '@mantine/core';
import type { Convo } from '@parley/schema/convos';
import {
  IconArchive,
  IconGitFork,
  IconPencil,
  IconPin,
  IconPinnedOff,
  IconSquareCheck,
  IconTrash,
} from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { MoreButton } from './more-button.tsx';
import { useMenu } from '../../lib/use-menu.ts';
import { useArchive } from '../convos/use-archive.ts';
import { useFork } from '../convos/use-fork.ts';
import { usePin } from '../convos/use-pin.ts';
import classes from '../user-menu.module.css';

export interface RowMenuProps {
  convo: Convo;
  onRename: () => void;
  onSelect: () => void;
  onRemove: () => void;
}

/** The menu of a row, open from the start. */
export function OpenRowMenu({ convo, onRename, onSelect, onRemove }: RowMenuProps) {
  const { t } = useTranslation();
  const { button, menu, dropdown } = useMenu();
  const pin = usePin();
  const archive = useArchive();
  const fork = useFork();
  const { conversationId, isPinned } = convo;
  return (
    <Menu
      {...menu}
      position="bottom-end"
      width={190}
      // In the row, which is drawn for as long as it has the focus; fixed, so that the list does not cut it off.
      withinPortal={false}
      floatingStrategy="fixed"
      transitionProps={{ duration: 0 }}
      classNames={{ dropdown: classes.dropdown, item: classes.item, label: classes.label }}
    >
      <Menu.Target>
        <MoreButton ref={button} convo={convo} />
      </Menu.Target>
      <Menu.Dropdown {...dropdown}>
        <Menu.Item leftSection={<IconPencil aria-hidden />} onClick={onRename}>
          {t('com_ui_rename')}
        </Menu.Item>
        <Menu.Item
          leftSection={isPinned ? <IconPinnedOff aria-hidden /> : <IconPin aria-hidden />}
          onClick={() => pin(conversationId, !isPinned)}
        >
          {isPinned ? t('com_ui_unpin') : t('com_ui_pin')}
        </Menu.Item>
        <Menu.Item leftSection={<IconGitFork aria-hidden />} onClick={() => void fork(convo)}>
          {t('com_ui_fork')}
        </Menu.Item>
        <Menu.Item leftSection={<IconArchive aria-hidden />} onClick={() => archive([convo], true)}>
          {t('com_ui_archive')}
        </Menu.Item>
        <Menu.Item leftSection={<IconSquareCheck aria-hidden />} onClick={onSelect}>
          {t('com_ui_select')}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item leftSection={<IconTrash aria-hidden />} onClick={onRemove}>
          {t('com_ui_delete')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
