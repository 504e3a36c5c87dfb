import { Menu } from '@mantine/core';
import {
  IconBuilding,
  IconFileExport,
  IconFiles,
  IconHelpCircle,
  IconLogout,
  IconRobot,
  IconSettings,
} from '@tabler/icons-react';
import { useAtomValue } from 'jotai';
import { useTranslation } from 'react-i18next';
import { navigate } from 'wouter/use-browser-location';
import { useSignOut } from '../../auth/sign-out/use-sign-out.ts';
import { useCatalog } from '../../endpoints/use-catalog.ts';
import { session } from '../../session/current-session.ts';
import { useStartup } from '../../startup.ts';
import { useMenu } from '../../ui/menu/use-menu.ts';
import { MenuRow } from '../../ui/menu/menu-row.tsx';
import { boundKeys } from '../../layout/bound-keys.ts';
import { shownKeys } from '../../layout/shortcuts.ts';
import { useShowFromDrawer } from '../../layout/use-show-from-drawer.ts';
import { useOpenId } from '../../convos/open-convo.ts';
import { UserButton } from './user-button.tsx';
import { trpc } from '../../trpc.ts';
import { formatCredits } from '../../lib/format-number.ts';
import classes from './user-menu.module.css';

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
        <Person />
        <AssistantsRow />
        <AdminRow />
        <DialogRows />
        <HelpRow />
        <SettingsRow />
        <MenuRow icon={IconLogout} onClick={signOut}>
          {t('com_nav_log_out')}
        </MenuRow>
      </Menu.Dropdown>
    </Menu>
  );
}

/** Who is signed in, and the balance where this site counts it. */
function Person() {
  const { user } = useAtomValue(session.state);
  const isChecked = useStartup()?.checkBalance === true;
  return (
    <>
      <Menu.Label className={classes.person}>
        <bdi>{user?.name}</bdi>
        <bdi>{user?.email}</bdi>
        {isChecked && <Balance />}
      </Menu.Label>
      <Menu.Divider />
    </>
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
  return (
    <>
      <MenuRow
        icon={IconFileExport}
        disabled={conversationId === null}
        onClick={() => conversationId !== null && show({ name: 'export', conversationId })}
      >
        {t('com_nav_export_conversation')}
      </MenuRow>
      <MenuRow icon={IconFiles} onClick={() => show({ name: 'files' })}>
        {t('com_files')}
      </MenuRow>
    </>
  );
}

function SettingsRow() {
  const { t } = useTranslation();
  const show = useShowFromDrawer();
  return (
    <MenuRow icon={IconSettings} keys={shownKeys(boundKeys('settings'), t)} onClick={() => show({ name: 'settings' })}>
      {t('com_nav_settings')}
    </MenuRow>
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

function Balance() {
  const { t, i18n } = useTranslation();
  // A title request or another device may have spent some since the last fetch.
  const { data, isError } = trpc.auth.balance.useQuery(undefined, { refetchOnMount: 'always' });
  const known = data === undefined ? undefined : formatCredits(Number(data) || 0, i18n.language);
  return (
    <span data-testid="nav-balance">
      {t('com_nav_balance', { 0: known ?? (isError ? t('com_nav_balance_unknown') : '…') })}
    </span>
  );
}
