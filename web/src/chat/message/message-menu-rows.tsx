import '../../context/lazy-words.ts';
import '@mantine/core/styles/Popover.css';
import '@mantine/core/styles/Menu.css';
import { Menu } from '@mantine/core';
import { IconGitFork, IconInfoCircle, IconScissors, IconTrash } from '@tabler/icons-react';
import type { Message } from '@parley/schema/messages';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Arriving } from '../../lib/arriving.tsx';
import { lazyScreen } from '../../lib/lazy-screen.tsx';
import { useMenu } from '../../lib/use-menu.ts';
import { forkAt } from './fork.ts';
import { MenuButton } from './message-menu.tsx';
import classes from './message-menu-rows.module.css';
import { pruneBranch, removeMessage } from './remove-message.ts';
import { useRoom } from '../room-context.tsx';

const details = lazyScreen(async () => (await import('../../context/answer-details.tsx')).AnswerDetails, 'ahead');

interface OpenMessageMenuProps {
  message: Message;
  className: string | undefined;
}

/** The menu of a message, open from the start. */
export function OpenMessageMenu({ message, className }: OpenMessageMenuProps) {
  const { t } = useTranslation();
  const { cache } = useRoom();
  const { button, focusButton, isOpen, menu, dropdown } = useMenu();
  const [hasDetails, setDetails] = useState(false);

  function closeDetails(): void {
    setDetails(false);
    focusButton();
  }

  return (
    <>
      <Menu
        {...menu}
        position="bottom-end"
        // Out of the thread, which would cut it off, and still in its landmark.
        portalProps={{ target: 'main' }}
        // Gone at once: a late timer of Mantine's would take the focus into what is still fading.
        transitionProps={{ duration: 120, exitDuration: 0 }}
        classNames={{ dropdown: classes.dropdown, item: classes.item }}
      >
        <Menu.Target>
          <MenuButton ref={button} className={className} data-open={isOpen || undefined} />
        </Menu.Target>
        <Menu.Dropdown {...dropdown}>
          {!message.isCreatedByUser && (
            <Menu.Item leftSection={<IconInfoCircle aria-hidden />} onClick={() => setDetails(true)}>
              {t('com_context_details')}
            </Menu.Item>
          )}
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
      {hasDetails && (
        <Arriving onFailure={closeDetails}>
          <details.Screen message={message} onClose={closeDetails} />
        </Arriving>
      )}
    </>
  );
}
