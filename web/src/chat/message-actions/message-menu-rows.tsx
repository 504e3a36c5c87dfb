import '../../locales/load/context.ts';
import { Menu } from '@mantine/core';
import { IconGitFork, IconInfoCircle, IconScissors, IconTrash } from '@tabler/icons-react';
import type { Message } from '@parley/schema/messages/messages';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { LazyBoundary } from '../../ui/lazy/lazy-boundary.tsx';
import { lazyScreen } from '../../ui/lazy/lazy-screen.tsx';
import { useMenu } from '../../ui/menu/use-menu.ts';
import { menuLook, MenuRow } from '../../ui/menu/menu-row.tsx';
import { forkAt } from './fork.ts';
import { pruneBranch, removeMessage } from './remove-message.ts';
import { useChatSession } from '../chat-session-context.tsx';
import { MenuButton } from './message-menu-button.tsx';

const details = lazyScreen(async () => (await import('../context/answer-details.tsx')).AnswerDetails, 'ahead');

interface OpenMessageMenuProps {
  message: Message;
  className: string | undefined;
}

/** The menu of a message, mounted open. */
export function OpenMessageMenu({ message, className }: OpenMessageMenuProps) {
  const { t } = useTranslation();
  const { cache } = useChatSession();
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
        // Rendered outside the thread, which would clip it, but inside the same landmark.
        portalProps={{ target: 'main' }}
        // No exit animation: Mantine's late timer would move the focus into the fading menu.
        transitionProps={{ duration: 120, exitDuration: 0 }}
        classNames={menuLook}
      >
        <Menu.Target>
          <MenuButton ref={button} className={className} data-open={isOpen || undefined} />
        </Menu.Target>
        <Menu.Dropdown {...dropdown}>
          {!message.isCreatedByUser && (
            <MenuRow icon={IconInfoCircle} onClick={() => setDetails(true)}>
              {t('com_context_details')}
            </MenuRow>
          )}
          <MenuRow icon={IconGitFork} onClick={() => void forkAt(cache, message)}>
            {t('com_chat_fork')}
          </MenuRow>
          <MenuRow icon={IconTrash} onClick={() => void removeMessage(cache, message)}>
            {t('com_chat_remove')}
          </MenuRow>
          <MenuRow icon={IconScissors} onClick={() => void pruneBranch(cache, message)}>
            {t('com_chat_prune')}
          </MenuRow>
        </Menu.Dropdown>
      </Menu>
      {hasDetails && (
        <LazyBoundary onFailure={closeDetails}>
          <details.Screen message={message} onClose={closeDetails} />
        </LazyBoundary>
      )}
    </>
  );
}
