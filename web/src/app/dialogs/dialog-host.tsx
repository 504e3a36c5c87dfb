import { useAtom, useSetAtom } from 'jotai';
import { useCallback, useEffect, useLayoutEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { composerId } from '../../slots/focus-composer.ts';
import { FIRST_SLOT } from '../../slots/slot.ts';
import { LazyBoundary } from '../../ui/lazy/lazy-boundary.tsx';
import { lazyScreen } from '../../ui/lazy/lazy-screen.tsx';
import { readPages } from '../../ui/lazy/chunks.ts';
import { isDialogLoadedAtom, openDialogAtom, type Dialog } from '../../dialogs/open-dialog.ts';
import { fileDialog, lightbox } from '../../files/lazy-viewers.ts';
import { readDialogs } from './read-dialogs.ts';
import classes from './dialog-loading.module.css';

const readTransfer = () => import('./transfer-dialogs.ts');

const palette = lazyScreen(async () => (await readDialogs()).Palette, 'ahead');
const remove = lazyScreen(async () => (await readDialogs()).RemoveDialog, 'ahead');
const signOut = lazyScreen(async () => (await readDialogs()).SignOutDialog);
const shortcuts = lazyScreen(async () => (await readDialogs()).ShortcutsDialog);
const trash = lazyScreen(async () => (await readDialogs()).TrashDialog);
const archive = lazyScreen(async () => (await readDialogs()).ArchiveDialog);
const exporting = lazyScreen(async () => (await readTransfer()).ExportDialog);
const sharing = lazyScreen(async () => (await readDialogs()).ShareDialog);
const importing = lazyScreen(async () => (await readTransfer()).ImportDialog);
const key = lazyScreen(async () => (await readDialogs()).KeyDialog);
const clear = lazyScreen(async () => (await readDialogs()).ClearDialog);
const preset = lazyScreen(async () => (await readDialogs()).PresetDialog);
const removePreset = lazyScreen(async () => (await readDialogs()).RemovePresetDialog);
const clearPresets = lazyScreen(async () => (await readDialogs()).ClearPresetsDialog);
const folder = lazyScreen(async () => (await readDialogs()).FolderDialog);
const removeFolder = lazyScreen(async () => (await readDialogs()).RemoveFolderDialog);
const move = lazyScreen(async () => (await readDialogs()).MoveDialog);
const settings = lazyScreen(async () => (await import('../../settings/settings-dialog.tsx')).SettingsDialog);
const files = lazyScreen(async () => (await import('../../library/files-dialog.tsx')).FilesDialog);
const plugins = lazyScreen(async () => (await readPages()).PluginStore);

const preloaded = { palette, remove };
export type PreloadedDialog = keyof typeof preloaded;

export async function loadDialog(name: PreloadedDialog): Promise<void> {
  await preloaded[name].load();
}

/** Renders the open dialog. On close it restores the focus, unless the focus has moved elsewhere. */
export function DialogHost() {
  const [open, setOpen] = useAtom(openDialogAtom);
  const setLoaded = useSetAtom(isDialogLoadedAtom);
  const returnTo = useRef<Element | null>(null);
  const close = useCallback(
    () => setOpen((before) => (before?.dialog.back ? { ...before, dialog: before.dialog.back } : null)),
    [setOpen],
  );
  useLayoutEffect(() => () => setLoaded(false), [open?.dialog.name, setLoaded]);
  useEffect(() => {
    if (open) returnTo.current = open.opener;
    else if (returnTo.current) restoreFocus(returnTo.current);
  }, [open]);

  if (!open) return null;
  return (
    <LazyBoundary fallback={<DialogLoading />} onFailure={close} onArrival={() => setLoaded(true)}>
      <Named
        dialog={open.dialog}
        onClose={close}
        onRemoved={() => {
          returnTo.current = neighbourOf(open.opener) ?? open.opener;
          close();
        }}
      />
    </LazyBoundary>
  );
}

interface NamedProps {
  dialog: Dialog;
  onClose: () => void;
  /** The row that opened the dialog is about to be removed. */
  onRemoved: () => void;
}

function Named({ dialog, onClose, onRemoved }: NamedProps) {
  switch (dialog.name) {
    case 'palette':
      return <palette.Screen onClose={onClose} />;
    case 'shortcuts':
      return <shortcuts.Screen onClose={onClose} />;
    case 'trash':
      return <trash.Screen onClose={onClose} />;
    case 'archive':
      return <archive.Screen onClose={onClose} />;
    case 'export':
      return <exporting.Screen conversationId={dialog.conversationId} onClose={onClose} />;
    case 'share':
      return <sharing.Screen conversationId={dialog.conversationId} onClose={onClose} />;
    case 'import':
      return <importing.Screen onClose={onClose} />;
    case 'remove':
      return <remove.Screen convos={dialog.convos} onClose={onClose} onRemoved={onRemoved} />;
    case 'clear':
      return <clear.Screen onClose={onClose} />;
    case 'key':
      return <key.Screen endpoint={dialog.endpoint} onClose={onClose} />;
    case 'preset':
      return <preset.Screen draft={dialog.draft} onClose={onClose} />;
    case 'remove-preset':
      return <removePreset.Screen preset={dialog.preset} onClose={onClose} />;
    case 'clear-presets':
      return <clearPresets.Screen onClose={onClose} />;
    case 'folder':
      return <folder.Screen folder={dialog.folder} convos={dialog.convos} onClose={onClose} />;
    case 'remove-folder':
      return <removeFolder.Screen folder={dialog.folder} onClose={onClose} />;
    case 'move':
      return <move.Screen convos={dialog.convos} onClose={onClose} />;
    case 'settings':
      return <settings.Screen at={dialog.at} onClose={onClose} />;
    case 'files':
      return <files.Screen onClose={onClose} />;
    case 'plugins':
      return <plugins.Screen asked={dialog.asked} onClose={onClose} />;
    case 'file':
      return <fileDialog.Screen file={dialog.file} cited={dialog.cited} onClose={onClose} />;
    case 'picture':
      return <lightbox.Screen images={dialog.images} index={dialog.index} onClose={onClose} isOwn />;
    case 'sign-out':
      return <signOut.Screen unsent={dialog.unsent} onClose={onClose} />;
    default:
      return dialog satisfies never;
  }
}

/**
 * Focuses the first of these that can take the focus: the opener, its row, the button of its menu, the message box, the
 * main landmark.
 */
function restoreFocus(asker: Element): void {
  const row = asker.closest('li')?.querySelector('a, input');
  // Also of a menu that has closed since.
  const menu = document.getElementById(asker.closest('[role="menu"]')?.getAttribute('aria-labelledby') ?? '');
  const composer = document.getElementById(composerId(FIRST_SLOT));
  for (const element of [asker, row, menu, composer, document.getElementById('main')]) {
    if (document.activeElement !== document.body && document.activeElement?.isConnected) return;
    if (element instanceof HTMLElement) element.focus();
  }
}

/** The link of the next row, else of the previous one. */
function neighbourOf(element: Element | null): Element | null {
  const links = [...document.querySelectorAll('[data-testid="convo-item"]')];
  const row = element?.closest('li');
  const index = links.findIndex((link) => row?.contains(link));
  return index < 0 ? null : (links[index + 1] ?? links[index - 1] ?? null);
}

/** Stands for a dialog whose code is on its way; not seen where that takes a moment only. */
function DialogLoading() {
  const { t } = useTranslation();
  return (
    <p className={classes.loading} role="status">
      {t('com_ui_loading')}
    </p>
  );
}
