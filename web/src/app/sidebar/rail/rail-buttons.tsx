import { IconLayoutSidebar, IconSearch } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useConvos, usePinnedConvos } from '../../../convos/use-convos.ts';
import { useShowDialog } from '../../../dialogs/open-dialog.ts';
import { NewChatIcon } from '../../../layout/sidebar-controls.tsx';
import { OPENS_SIDEBAR } from '../../../layout/use-sidebar-focus.ts';
import { useSidebar } from '../../../layout/use-sidebar.ts';
import { useSearchEnabled } from '../../../search/use-search-enabled.ts';
import { withKeys } from '../../../layout/shortcuts.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import { UserMenu } from '../../user-menu/user-menu.tsx';
import classes from './rail.module.css';

/** Opens the sidebar, begins a chat, searches, and has the user menu. */
export function RailButtons() {
  const { t } = useTranslation();
  const { toggle } = useSidebar();
  const show = useShowDialog();
  const isSearchable = useSearchEnabled();
  const hasUnread = useHasUnread();
  return (
    <>
      <IconButton
        className={classes.open}
        label={t('com_nav_open_sidebar')}
        aria-describedby={hasUnread ? UNREAD_ID : undefined}
        onClick={toggle}
        {...withKeys('sidebar')}
        {...{ [OPENS_SIDEBAR]: '' }}
      >
        <IconLayoutSidebar aria-hidden />
        {hasUnread && (
          <span id={UNREAD_ID} className={classes.unread} role="img" aria-label={t('com_ui_convo_unread')} />
        )}
      </IconButton>
      <NewChatIcon testId="wide-header-new-chat-button" />
      {isSearchable && (
        <IconButton label={t('com_nav_search')} {...withKeys('palette')} onClick={() => show({ name: 'palette' })}>
          <IconSearch aria-hidden />
        </IconButton>
      )}
      <div className={classes.user}>
        <UserMenu isSmall />
      </div>
    </>
  );
}

const UNREAD_ID = 'rail-unread';

/** Of the loaded conversations: the newest, where answers arrive. */
function useHasUnread(): boolean {
  const { convos } = useConvos();
  const pinned = usePinnedConvos();
  return [...pinned, ...convos].some((convo) => convo.isUnread);
}
