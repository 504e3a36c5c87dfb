import '../../context/lazy-words.ts';
import '@mantine/core/styles/Popover.css';
import '@mantine/core/styles/Menu.css';
import { Menu } from '@mantine/core';
import { IconGitFork, IconInfoCircle, IconScissors, IconTrash } from '@tabler/icons-react';
import type { Message } from '@parley/schema/messages';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Arriving } from '../../lib/arriving.tsx';
import { focusAtOnce } from '../../lib/focus-at-once.ts';
import { lazyScreen } from '../../lib/lazy-screen.tsx';
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

/** The menu of a message, open from the start: it is here because someone asked for it. */
export function OpenMessageMenu({ message, className }: OpenMessageMenuProps) {
  const { t } = useTranslation();
  const { cache } = useRoom();
  const [isOpen, setOpen] = useState(true);
  const [hasDetails, setDetails] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const focusButton = () => button.current?.focus({ preventScroll: true });

  function closeDetails(): void {
    setDetails(false);
    focusButton();
  }

  return (
    <>
      <Menu
        opened={isOpen}
        onChange={setOpen}
        // The button that was pressed first was another one, so the menu does not know where the focus came from.
        returnFocus={false}
        onClose={focusButton}
        position="bottom-end"
        // Out of the thread, which would cut it off, and still in its landmark.
        portalProps={{ target: 'main' }}
        withInitialFocusPlaceholder={false}
        transitionProps={{ duration: 120, exitDuration: 0 }}
        classNames={{ dropdown: classes.dropdown, item: classes.item }}
      >
        <Menu.Target>
          <MenuButton ref={button} className={className} data-open={isOpen || undefined} />
        </Menu.Target>
        <Menu.Dropdown ref={focusAtOnce}>
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
