import { useMantineColorScheme, type MantineColorScheme } from '@mantine/core';
import {
  IconArchive,
  IconArchiveOff,
  IconBuilding,
  IconCalendarClock,
  IconDeviceDesktop,
  IconEdit,
  IconFileExport,
  IconFileImport,
  IconFiles,
  IconFolderPlus,
  IconKeyboard,
  IconLayoutSidebar,
  IconLayoutSidebarRight,
  IconLogout,
  IconMoon,
  IconPencil,
  IconPin,
  IconPinnedOff,
  IconQuote,
  IconRobot,
  IconSettings,
  IconShare,
  IconSquareCheck,
  IconSun,
  IconTool,
  IconTrash,
  IconTrashX,
} from '@tabler/icons-react';
import { useAtomValue, useSetAtom } from 'jotai';
import { useTranslation } from 'react-i18next';
import { navigate } from 'wouter/use-browser-location';
import { ASSISTANTS_PATH, NEW_ASSISTANT_PATH } from '../assistants/assistant-paths.ts';
import { useSignOut } from '../auth/sign-out/use-sign-out.ts';
import { useShowDialog, type Dialog } from '../dialogs/open-dialog.ts';
import { useOpenConvo } from '../convos/open-convo.ts';
import { useCanBuild } from '../endpoints/assistants/use-can-build.ts';
import { useCatalog } from '../endpoints/use-catalog.ts';
import { NO_SELECTION, selectionAtom } from '../convos/selection.ts';
import { boundKeysAtom } from '../layout/bound-keys.ts';
import { shownKeys, type Shortcut } from '../layout/shortcuts.ts';
import { useArchive } from '../convos/actions/use-archive.ts';
import { useNewChat } from '../slots/use-new-chat.ts';
import { usePin } from '../convos/actions/use-pin.ts';
import { renamedConvoAtom } from '../convos/renamed-convo.ts';
import { useSidebar } from '../layout/use-sidebar.ts';
import { useSidePanel } from '../side-panel/panel-state.ts';
import { useIsOperator } from '../session/use-is-operator.ts';
import { useStartup } from '../startup.ts';
import type { PaletteEntry, PaletteGroup } from './palette-entry.ts';

/** All actions of the palette. `close` closes it; an action that opens a dialog replaces it. */
export function usePaletteActions(close: () => void): PaletteGroup[] {
  const { t } = useTranslation();
  const show = useShowDialog();
  const newChat = useNewChat();
  const signOut = useSignOut();
  const sidebar = useSidebar();
  const sidePanel = useSidePanel();
  const setSelection = useSetAtom(selectionAtom);
  const ofConvo = useConvoActions(close);
  const themes = useThemes(close);
  const bound = useAtomValue(boundKeysAtom);
  const keysFor = (name: Shortcut) => shownKeys(bound[name], t);
  const canBuild = useCanBuild();
  const isOperator = useIsOperator();
  const areToolsOff = useStartup()?.toolsEnabled === false;
  const hasAssistants = useCatalog()?.endpoints.assistants !== undefined;

  const opens = (id: string, Icon: PaletteEntry['Icon'], label: string, dialog: Dialog, keys = ''): PaletteEntry => {
    return { id, Icon, label, keys, run: () => show(dialog) };
  };
  const does = (id: string, Icon: PaletteEntry['Icon'], label: string, act: () => void, keys = ''): PaletteEntry => ({
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

  const ofAssistants = [
    ...(canBuild
      ? [does('assistant', IconRobot, t('com_palette_new_assistant'), () => navigate(NEW_ASSISTANT_PATH))]
      : []),
    ...(hasAssistants ? [does('assistants', IconRobot, t('com_nav_assistants'), () => navigate(ASSISTANTS_PATH))] : []),
  ];

  return [
    ...ofConvo,
    {
      name: t('com_palette_actions'),
      entries: [
        does('new', IconEdit, t('com_nav_new_chat'), newChat, keysFor('newChat')),
        ...ofAssistants,
        does('sidebar', IconLayoutSidebar, t('com_shortcut_sidebar'), sidebar.toggle, keysFor('sidebar')),
        does('panel', IconLayoutSidebarRight, t('com_sidepanel_toggle'), () =>
          sidePanel.isOpen ? sidePanel.collapse() : sidePanel.open(),
        ),
        does('select', IconSquareCheck, t('com_palette_select'), select),
        opens('folder', IconFolderPlus, t('com_ui_folder_new_title'), { name: 'folder', folder: null, convos: [] }),
        opens('files', IconFiles, t('com_files'), { name: 'files' }),
        opens('archive', IconArchive, t('com_archive'), { name: 'archive' }),
        { ...opens('trash', IconTrash, t('com_bin'), { name: 'trash' }), words: t('com_bin_words') },
        opens('import', IconFileImport, t('com_nav_import_conversations'), { name: 'import' }),
        opens('shortcuts', IconKeyboard, t('com_shortcuts'), { name: 'shortcuts' }, keysFor('shortcuts')),
      ],
    },
    {
      name: t('com_palette_settings'),
      entries: [
        opens('settings', IconSettings, t('com_nav_settings'), { name: 'settings' }, keysFor('settings')),
        does('schedules', IconCalendarClock, t('com_schedules'), () => navigate('/schedules')),
        does('prompts', IconQuote, t('com_prompts'), () => navigate('/prompts')),
        ...(areToolsOff ? [] : [does('tools', IconTool, t('com_tools_all'), () => navigate('/tools'))]),
        ...(isOperator ? [does('admin', IconBuilding, t('com_nav_admin'), () => navigate('/admin'))] : []),
        ...themes,
        opens('clear', IconTrashX, t('com_nav_clear_convos_row'), { name: 'clear' }),
        does('leave', IconLogout, t('com_nav_log_out'), signOut),
      ],
    },
  ];
}

function useConvoActions(close: () => void): PaletteGroup[] {
  const { t } = useTranslation();
  const show = useShowDialog();
  const convo = useOpenConvo();
  const pin = usePin();
  const archive = useArchive();
  const setRenamed = useSetAtom(renamedConvoAtom);
  const canShare = useStartup()?.sharedLinksEnabled ?? true;
  // Nothing of this can be done with a temporary chat.
  if (!convo || convo.temporaryUntil) return [];
  const { conversationId, isPinned, isArchived } = convo;
  const share: PaletteEntry = {
    id: 'share',
    Icon: IconShare,
    label: t('com_share'),
    run: () => show({ name: 'share', conversationId }),
  };
  const entries: PaletteEntry[] = [
    {
      id: 'rename',
      Icon: IconPencil,
      label: t('com_ui_rename'),
      run() {
        close();
        setRenamed(conversationId);
      },
    },
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
    ...(canShare ? [share] : []),
    {
      id: 'remove',
      Icon: IconTrash,
      label: t('com_ui_delete'),
      run: () => show({ name: 'remove', convos: [convo] }),
    },
  ];
  return [{ name: t('com_palette_this'), entries }];
}

function useThemes(close: () => void): PaletteEntry[] {
  const { t } = useTranslation();
  // Mantine would insert a style element to suspend transitions, which the content security policy forbids.
  const { setColorScheme } = useMantineColorScheme({ keepTransitions: true });
  const themes: { scheme: MantineColorScheme; Icon: PaletteEntry['Icon']; label: string }[] = [
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
