import { Menu } from '@mantine/core';
import { IconGitFork, IconInfoCircle, IconRefreshDot, IconScissors, IconTrash } from '@tabler/icons-react';
import type { Message } from '@parley/schema/messages/messages';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { OtherModel } from '../../catalog/model-target.ts';
import { LazyBoundary } from '../../ui/lazy/lazy-boundary.tsx';
import { useMenu } from '../../ui/menu/use-menu.ts';
import { menuLook, MenuRow } from '../../ui/menu/menu-row.tsx';
import { AnswerRows } from './answer-rows.tsx';
import { SideBySideRow } from './side-by-side-row.tsx';
import { forkAt } from './fork.ts';
import { pruneBranch, removeMessage } from './remove-message.ts';
import { trpc } from '../../trpc.ts';
import { useChatSession } from '../chat-session-context.tsx';
import { MenuButton } from './message-menu-button.tsx';
import { replyDetails, otherModelDialog } from '../lazy-panels.ts';

interface OpenMessageMenuProps {
  message: Message;
  className: string | undefined;
  onAskOther: ((model: OtherModel) => void) | undefined;
}

/** The menu of a message, mounted open. */
export function OpenMessageMenu({ message, className, onAskOther }: OpenMessageMenuProps) {
  const { t } = useTranslation();
  const { cache } = useChatSession();
  const { data: convo } = trpc.convos.byId.useQuery({ conversationId: message.conversationId }, { enabled: false });
  const { button, focusButton, isOpen, menu, dropdown } = useMenu();
  const [dialog, setDialog] = useState<'details' | 'other model' | null>(null);

  function closeDialog(): void {
    setDialog(null);
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
            <MenuRow icon={IconInfoCircle} onClick={() => setDialog('details')}>
              {t('com_context_details')}
            </MenuRow>
          )}
          <AnswerRows message={message} />
          <SideBySideRow message={message} />
          {onAskOther && (
            <MenuRow icon={IconRefreshDot} onClick={() => setDialog('other model')}>
              {t('com_chat_other_model')}
            </MenuRow>
          )}
          {!convo?.temporaryUntil && (
            <MenuRow icon={IconGitFork} onClick={() => void forkAt(cache, message)}>
              {t('com_chat_fork')}
            </MenuRow>
          )}
          <MenuRow icon={IconTrash} onClick={() => void removeMessage(cache, message)}>
            {t('com_chat_remove')}
          </MenuRow>
          <MenuRow icon={IconScissors} onClick={() => void pruneBranch(cache, message)}>
            {t('com_chat_prune')}
          </MenuRow>
        </Menu.Dropdown>
      </Menu>
      {dialog === 'details' && (
        <LazyBoundary onFailure={closeDialog}>
          <replyDetails.Screen message={message} onClose={closeDialog} />
        </LazyBoundary>
      )}
      {dialog === 'other model' && onAskOther && (
        <LazyBoundary onFailure={closeDialog}>
          <otherModelDialog.Screen
            message={message}
            onClose={closeDialog}
            onPick={(model) => {
              closeDialog();
              onAskOther(model);
            }}
          />
        </LazyBoundary>
      )}
    </>
  );
}
