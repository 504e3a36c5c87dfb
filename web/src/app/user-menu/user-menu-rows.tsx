import { Menu } from '@mantine/core';
import {
  IconArchive,
  IconBuilding,
  IconCommand,
  IconFileExport,
  IconFileImport,
  IconFiles,
  IconHelpCircle,
  IconKeyboard,
  IconLogout,
  IconRobot,
  IconSettings,
  IconTrash,
} from '@tabler/icons-react';
import { useAtomValue, useAtom } from 'jotai';
import { flushSync } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { navigate } from 'wouter/use-browser-location';
import { SETTINGS } from '@parley/schema/settings/interface';
import { useSignOut } from '../../auth/sign-out/use-sign-out.ts';
import { useCatalog } from '../../endpoints/use-catalog.ts';
import { session } from '../../session/current-session.ts';
import { useStartup } from '../../startup.ts';
import { useMenu } from '../../ui/menu/use-menu.ts';
import { MenuRow } from '../../ui/menu/menu-row.tsx';
import { useShowDialog, type Dialog } from '../../dialogs/open-dialog.ts';
import { boundKeys } from '../../layout/bound-keys.ts';
import { shownKeys, type Shortcut } from '../../layout/shortcuts.ts';
import { useSidebar } from '../../layout/use-sidebar.ts';
import { useOpenId } from '../../convos/open-convo.ts';
import { UserButton } from './user-button.tsx';
import { trpc } from '../../trpc.ts';
import { formatCredits } from '../../lib/format-number.ts';
import { settingAtom } from '../../stored-settings.ts';
import classes from './balance-line.module.css';

/** The user menu, mounted open. */
export function OpenUserMenu({ isSmall }: { isSmall: boolean }) {
  const { t } = useTranslation();
  const { button, menu, dropdown } = useMenu();
  const signOut = useSignOut();
  return (
    <Menu
      {...menu}
      position={isSmall ? 'right-end' : 'top-start'}
      width={isSmall ? 240 : 'target'}
      offset={6}
      // No exit animation: Mantine's late timer would move the focus into the fading menu.
      transitionProps={{ duration: 120, exitDuration: 0 }}
    >
      <Menu.Target>
        <UserButton ref={button} isSmall={isSmall} />
      </Menu.Target>
      <Menu.Dropdown {...dropdown}>
        <BalanceLine />
        <ThemeChoice />
        <Menu.Divider />
        <AssistantsRow />
        <AdminRow />
        <DialogRows />
        <HelpRow />
        <MenuRow icon={IconLogout} onClick={signOut}>
          {t('com_nav_log_out')}
        </MenuRow>
      </Menu.Dropdown>
    </Menu>
  );
}

/** The page of all assistants, where this server offers any. */
function AssistantsRow() {
  const { t } = useTranslation();
  const catalog = useCatalog();
  if (!catalog?.endpoints.assistants) return null;
  return (
    <MenuRow icon={IconRobot} onClick={() => navigate('/assistants')}>
      {t('com_nav_assistants')}
    </MenuRow>
  );
}

/** The administration of this server, for administrators. */
function AdminRow() {
  const { t } = useTranslation();
  if (useAtomValue(session.state).user?.role !== 'ADMIN') return null;
  return (
    <MenuRow icon={IconBuilding} onClick={() => navigate('/admin')}>
      {t('com_nav_admin')}
    </MenuRow>
  );
}

function DialogRows() {
  const { t } = useTranslation();
  const show = useShowFromDrawer();
  const conversationId = useOpenId();
  const keysOf = (name: Shortcut) => shownKeys(boundKeys(name), t);
  return (
    <>
      <MenuRow icon={IconCommand} keys={keysOf('palette')} onClick={() => show({ name: 'palette' })}>
        {t('com_palette')}
      </MenuRow>
      <MenuRow
        icon={IconFileExport}
        disabled={conversationId === null}
        onClick={() => conversationId !== null && show({ name: 'export', conversationId })}
      >
        {t('com_nav_export_conversation')}
      </MenuRow>
      <MenuRow icon={IconFileImport} onClick={() => show({ name: 'import' })}>
        {t('com_nav_import_conversations')}
      </MenuRow>
      <MenuRow icon={IconFiles} onClick={() => show({ name: 'files' })}>
        {t('com_files')}
      </MenuRow>
      <MenuRow icon={IconArchive} onClick={() => show({ name: 'archive' })}>
        {t('com_archive')}
      </MenuRow>
      <MenuRow icon={IconTrash} onClick={() => show({ name: 'trash' })}>
        {t('com_bin')}
      </MenuRow>
      <MenuRow icon={IconKeyboard} keys={keysOf('shortcuts')} onClick={() => show({ name: 'shortcuts' })}>
        {t('com_shortcuts')}
      </MenuRow>
      <MenuRow icon={IconSettings} keys={keysOf('settings')} onClick={() => show({ name: 'settings' })}>
        {t('com_nav_settings')}
      </MenuRow>
    </>
  );
}

/** A dialog closes the drawer that its row is in. First, so that it returns the focus to the button of the drawer. */
function useShowFromDrawer(): (dialog: Dialog) => void {
  const show = useShowDialog();
  const { isDrawer, close } = useSidebar();
  return (dialog) => {
    if (isDrawer) flushSync(close);
    show(dialog);
  };
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

/** The user's balance, as the first row of a menu; nothing on a site without balances. */
function BalanceLine() {
  const isChecked = useStartup()?.checkBalance === true;
  return isChecked ? <CheckedBalance /> : null;
}

function CheckedBalance() {
  const { t, i18n } = useTranslation();
  // A title request or another device may have spent some since the last fetch.
  const { data, isError } = trpc.auth.balance.useQuery(undefined, { refetchOnMount: 'always' });
  const known = data === undefined ? undefined : formatCredits(Number(data) || 0, i18n.language);
  return (
    <>
      <Menu.Label className={classes.line} data-testid="nav-balance">
        {t('com_nav_balance', { 0: known ?? (isError ? t('com_nav_balance_unknown') : '…') })}
      </Menu.Label>
      <Menu.Divider />
    </>
  );
}

const { label, options } = SETTINGS.theme;
type Theme = keyof typeof options;
const themes = Object.keys(options) as Theme[];

/** Menu rows: the theme as a choice of three. */
function ThemeChoice() {
  const { t } = useTranslation();
  const [chosen, setTheme] = useAtom(settingAtom('theme'));
  return (
    <Menu.RadioGroup
      value={chosen}
      onChange={(value) => setTheme(themes.find((theme) => theme === value) ?? SETTINGS.theme.default)}
    >
      <Menu.Label>{t(label)}</Menu.Label>
      {themes.map((option) => (
        <Menu.RadioItem key={option} value={option}>
          {t(options[option])}
        </Menu.RadioItem>
      ))}
    </Menu.RadioGroup>
  );
}
