import '../shell/convos/lazy-words.ts';
import '../export/lazy-words.ts';
import { useMantineColorScheme, type MantineColorScheme } from '@mantine/core';
import {
  IconArchive,
  IconArchiveOff,
  IconDeviceDesktop,
  IconEdit,
  IconFileExport,
  IconFileImport,
  IconKeyboard,
  IconLayoutSidebar,
  IconLayoutSidebarRight,
  IconLogout,
  IconMoon,
  IconPin,
  IconPinnedOff,
  IconSettings,
  IconSquareCheck,
  IconSun,
  IconTrash,
  IconTrashX,
} from '@tabler/icons-react';
import { useSetAtom } from 'jotai';
import { useTranslation } from 'react-i18next';
import { session } from '../auth/current.ts';
import { useShowDialog, type Dialog } from '../shell/dialogs/dialogs.ts';
import { useOpenConvo } from '../shell/convos/open-convo.ts';
import { NO_SELECTION, selectionAtom } from '../shell/convos/selection.ts';
import { keysOf, SHORTCUTS } from '../shell/shortcuts.ts';
import { useArchive } from '../shell/convos/use-archive.ts';
import { useNewChat } from '../shell/use-new-chat.ts';
import { usePin } from '../shell/convos/use-pin.ts';
import { useSidebar } from '../shell/sidebar/use-sidebar.ts';
import '../side-panel/lazy-words.ts';
import { useSidePanel } from '../side-panel/panel-state.ts';
import type { Entry, EntryGroup } from './entry.ts';

/** All that can be done from the palette. `close` puts it away; an entry that opens a dialog takes its place. */
export function useActions(close: () => void): EntryGroup[] {
  const { t } = useTranslation();
  const show = useShowDialog();
  const newChat = useNewChat();
  const sidebar = useSidebar();
  const sidePanel = useSidePanel();
  const setSelection = useSetAtom(selectionAtom);
  const ofConvo = useConvoActions(close);
  const themes = useThemes(close);

  const opens = (id: string, Icon: Entry['Icon'], label: string, dialog: Dialog, keys = ''): Entry => ({
    id,
    Icon,
    label,
    keys,
    run: () => show(dialog),
  });
  const does = (id: string, Icon: Entry['Icon'], label: string, act: () => void, keys = ''): Entry => ({
    id,
    Icon,
    label,
    keys,
    run() {
      close();
      act();
    },
  });

  function select(): void {
    setSelection(NO_SELECTION);
    if (!sidebar.isOpen) sidebar.toggle();
  }

  return [
    ...ofConvo,
    {
      name: t('com_palette_actions'),
      entries: [
        does('new', IconEdit, t('com_nav_new_chat'), newChat, keysOf(SHORTCUTS.newChat)),
        does('sidebar', IconLayoutSidebar, t('com_shortcut_sidebar'), sidebar.toggle, keysOf(SHORTCUTS.sidebar)),
        does('panel', IconLayoutSidebarRight, t('com_sidepanel_toggle'), sidePanel.toggle),
        does('select', IconSquareCheck, t('com_palette_select'), select),
        opens('archive', IconArchive, t('com_archive'), { name: 'archive' }),
        { ...opens('bin', IconTrash, t('com_bin'), { name: 'bin' }), words: t('com_bin_words') },
        opens('import', IconFileImport, t('com_nav_import_conversations'), { name: 'import' }),
        opens('shortcuts', IconKeyboard, t('com_shortcuts'), { name: 'shortcuts' }, keysOf(SHORTCUTS.shortcuts)),
      ],
    },
    {
      name: t('com_palette_settings'),
      entries: [
        opens('settings', IconSettings, t('com_nav_settings'), { name: 'settings' }),
        ...themes,
        opens('clear', IconTrashX, t('com_nav_clear_convos_row'), { name: 'clear' }),
        does('leave', IconLogout, t('com_nav_log_out'), () => void session.signOut()),
      ],
    },
  ];
}

function useConvoActions(close: () => void): EntryGroup[] {
  const { t } = useTranslation();
  const show = useShowDialog();
  const convo = useOpenConvo();
  const pin = usePin();
  const archive = useArchive();
  if (!convo) return [];
  const { conversationId, isPinned, isArchived } = convo;
  const entries: Entry[] = [
    {
      id: 'pin',
      Icon: isPinned ? IconPinnedOff : IconPin,
      label: isPinned ? t('com_ui_unpin') : t('com_ui_pin'),
      run() {
        close();
        pin(conversationId, !isPinned);
      },
    },
    {
      id: 'put-away',
      Icon: isArchived ? IconArchiveOff : IconArchive,
      label: isArchived ? t('com_archive_leave') : t('com_ui_archive'),
      run() {
        close();
        archive([convo], !isArchived);
      },
    },
    {
      id: 'export',
      Icon: IconFileExport,
      label: t('com_nav_export_conversation'),
      run: () => show({ name: 'export', conversationId }),
    },
    {
      id: 'remove',
      Icon: IconTrash,
      label: t('com_ui_delete'),
      run: () => show({ name: 'remove', convos: [convo] }),
    },
  ];
  return [{ name: t('com_palette_this'), entries }];
}

function useThemes(close: () => void): Entry[] {
  const { t } = useTranslation();
  // Mantine would write a stylesheet to hold transitions back meanwhile, which the content security policy forbids.
  const { setColorScheme } = useMantineColorScheme({ keepTransitions: true });
  const themes: { scheme: MantineColorScheme; Icon: Entry['Icon']; label: string }[] = [
    { scheme: 'auto', Icon: IconDeviceDesktop, label: t('com_palette_theme_system') },
    { scheme: 'light', Icon: IconSun, label: t('com_palette_theme_light') },
    { scheme: 'dark', Icon: IconMoon, label: t('com_palette_theme_dark') },
  ];
  return themes.map(({ scheme, Icon, label }) => ({
    id: `theme ${scheme}`,
    Icon,
    label,
    run() {
      close();
      setColorScheme(scheme);
    },
  }));
}
