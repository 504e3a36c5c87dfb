import '@mantine/core/styles/Popover.css';
import '@mantine/core/styles/Menu.css';
import { Menu } from '@mantine/core';
import { IconGitFork, IconScissors, IconTrash } from '@tabler/icons-react';
import type { Message } from '@parley/schema/messages';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { forkAt } from './fork.ts';
import { MenuButton } from './message-menu.tsx';
import classes from './message-menu-rows.module.css';
import { pruneBranch, removeMessage } from './remove-message.ts';
import { useRoom } from './room-context.tsx';

interface OpenMessageMenuProps {
  message: Message;
  className: string | undefined;
}

/** The menu of a message, open from the start: it is here because someone asked for it. */
export function OpenMessageMenu({ message, className }: OpenMessageMenuProps) {
  const { t } = useTranslation();
  const { cache } = useRoom();
  const [isOpen, setOpen] = useState(true);
  const button = useRef<HTMLButtonElement>(null);
  return (
    <Menu
      opened={isOpen}
      onChange={setOpen}
      // The button that was pressed first was another one, so the menu does not know where the focus came from.
      returnFocus={false}
      onClose={() => button.current?.focus({ preventScroll: true })}
      position="bottom-end"
      // Out of the thread, which would cut it off, and still in its landmark.
      portalProps={{ target: 'main' }}
      withInitialFocusPlaceholder={false}
      transitionProps={{ duration: 120 }}
      classNames={{ dropdown: classes.dropdown, item: classes.item }}
    >
      <Menu.Target>
        <MenuButton ref={button} className={className} data-open={isOpen || undefined} />
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconGitFork aria-hidden />} onClick={() => void forkAt(cache, message)}>
          {t('com_chat_fork')}
        </Menu.Item>
        <Menu.Item leftSection={<IconTrash aria-hidden />} onClick={() => void removeMessage(cache, message)}>
          {t('com_chat_remove')}
        </Menu.Item>
        <Menu.Item leftSection={<IconScissors aria-hidden />} onClick={() => void pruneBranch(cache, message)}>
          {t('com_chat_prune')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
