import '../palette/lazy-words.ts';
import '../export/lazy-words.ts';
import '@mantine/core/styles/Popover.css';
import '@mantine/core/styles/Menu.css';
import { Menu } from '@mantine/core';
import {
  IconArchive,
  IconCommand,
  IconFileExport,
  IconFileImport,
  IconHelpCircle,
  IconKeyboard,
  IconLogout,
  IconSettings,
  IconTrash,
} from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { session } from '../auth/current.ts';
import { BalanceLine } from '../balance/balance-line.tsx';
import { useStartup } from '../lib/startup.ts';
import { useMenu } from '../lib/use-menu.ts';
import { ThemeChoice } from '../settings/theme-choice.tsx';
import { useShowDialog } from './dialogs/dialogs.ts';
import { useOpenId } from './convos/open-convo.ts';
import { UserButton } from './user-button.tsx';
import classes from './user-menu.module.css';

/** The user menu, open from the start. */
export function OpenUserMenu() {
  const { t } = useTranslation();
  const { button, menu, dropdown } = useMenu();
  return (
    <Menu
      {...menu}
      position="top-start"
      width="target"
      // In the sidebar's landmark.
      withinPortal={false}
      offset={6}
      // Gone at once: a late timer of Mantine's would take the focus into what is still fading.
      transitionProps={{ duration: 120, exitDuration: 0 }}
      classNames={{ dropdown: classes.dropdown, item: classes.item, label: classes.label }}
    >
      <Menu.Target>
        <UserButton ref={button} />
      </Menu.Target>
      <Menu.Dropdown {...dropdown}>
        <BalanceLine />
        <ThemeChoice />
        <Menu.Divider />
        <DialogRows />
        <HelpRow />
        <Menu.Item leftSection={<IconLogout aria-hidden />} onClick={() => void session.signOut()}>
          {t('com_nav_log_out')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function DialogRows() {
  const { t } = useTranslation();
  const show = useShowDialog();
  const conversationId = useOpenId();
  return (
    <>
      <Menu.Item leftSection={<IconCommand aria-hidden />} onClick={() => show({ name: 'palette' })}>
        {t('com_palette')}
      </Menu.Item>
      <Menu.Item
        leftSection={<IconFileExport aria-hidden />}
        disabled={conversationId === null}
        onClick={() => conversationId !== null && show({ name: 'export', conversationId })}
      >
        {t('com_nav_export_conversation')}
      </Menu.Item>
      <Menu.Item leftSection={<IconFileImport aria-hidden />} onClick={() => show({ name: 'import' })}>
        {t('com_nav_import_conversations')}
      </Menu.Item>
      <Menu.Item leftSection={<IconArchive aria-hidden />} onClick={() => show({ name: 'archive' })}>
        {t('com_archive')}
      </Menu.Item>
      <Menu.Item leftSection={<IconTrash aria-hidden />} onClick={() => show({ name: 'bin' })}>
        {t('com_bin')}
      </Menu.Item>
      <Menu.Item leftSection={<IconKeyboard aria-hidden />} onClick={() => show({ name: 'shortcuts' })}>
        {t('com_shortcuts')}
      </Menu.Item>
      <Menu.Item leftSection={<IconSettings aria-hidden />} onClick={() => show({ name: 'settings' })}>
        {t('com_nav_settings')}
      </Menu.Item>
    </>
  );
}

function HelpRow() {
  const { t } = useTranslation();
  const url = useStartup()?.helpAndFaqURL;
  if (!url || url === '/') return null;
  return (
    <Menu.Item component="a" href={url} target="_blank" rel="noreferrer" leftSection={<IconHelpCircle aria-hidden />}>
      {t('com_nav_help_faq')}
    </Menu.Item>
  );
}
