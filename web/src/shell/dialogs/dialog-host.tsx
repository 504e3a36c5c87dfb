import { useAtom, useSetAtom } from 'jotai';
import { useCallback, useEffect, useLayoutEffect, useRef } from 'react';
import { composerId } from '../../chat/composer/focus-composer.ts';
import { FIRST_SLOT } from '../../chat/slot.ts';
import { Arriving } from '../../lib/arriving.tsx';
import { lazyScreen } from '../../lib/lazy-screen.tsx';
import { isDialogThereAtom, openDialogAtom, type Dialog } from './dialogs.ts';

const palette = lazyScreen(async () => (await import('../../palette/palette.tsx')).Palette, 'ahead');
const remove = lazyScreen(async () => (await import('./remove-dialog.tsx')).RemoveDialog, 'ahead');
const shortcuts = lazyScreen(async () => (await import('./shortcuts-dialog.tsx')).ShortcutsDialog);
const bin = lazyScreen(async () => (await import('./bin-dialog.tsx')).BinDialog);
const archive = lazyScreen(async () => (await import('./archive-dialog.tsx')).ArchiveDialog);
const exporting = lazyScreen(async () => (await import('../../export/export-dialog.tsx')).ExportDialog);
const importing = lazyScreen(async () => (await import('../../export/import-dialog.tsx')).ImportDialog);
const key = lazyScreen(async () => (await import('../../keys/key-dialog.tsx')).KeyDialog);
const clear = lazyScreen(async () => (await import('./clear-dialog.tsx')).ClearDialog);
const preset = lazyScreen(async () => (await import('../../presets/preset-dialog.tsx')).PresetDialog);
const removePreset = lazyScreen(
  async () => (await import('../../presets/remove-preset-dialog.tsx')).RemovePresetDialog,
);
const clearPresets = lazyScreen(
  async () => (await import('../../presets/clear-presets-dialog.tsx')).ClearPresetsDialog,
);
const settings = lazyScreen(async () => (await import('../../settings/settings-dialog.tsx')).SettingsDialog);

const preloaded = { palette, remove };
export type PreloadedDialog = keyof typeof preloaded;

export async function loadDialog(name: PreloadedDialog): Promise<void> {
  await preloaded[name].load();
}

/** Where the open dialog appears. Afterwards the focus goes back to where it was, unless it went somewhere else. */
export function DialogHost() {
  const [open, setOpen] = useAtom(openDialogAtom);
  const setThere = useSetAtom(isDialogThereAtom);
  const returnTo = useRef<Element | null>(null);
  const close = useCallback(() => setOpen(null), [setOpen]);
  useLayoutEffect(() => () => setThere(false), [open?.dialog.name, setThere]);
  useEffect(() => {
    if (open) returnTo.current = open.asker;
    else if (returnTo.current) handBack(returnTo.current);
  }, [open]);

  if (!open) return null;
  return (
    <Arriving onFailure={close} onArrival={() => setThere(true)}>
      <Named
        dialog={open.dialog}
        onClose={close}
        onRemoved={() => {
          returnTo.current = neighbourOf(open.asker) ?? open.asker;
          close();
        }}
      />
    </Arriving>
  );
}

interface NamedProps {
  dialog: Dialog;
  onClose: () => void;
  /** The row that asked is about to go. */
  onRemoved: () => void;
}

function Named({ dialog, onClose, onRemoved }: NamedProps) {
  switch (dialog.name) {
    case 'palette':
      return <palette.Screen onClose={onClose} />;
    case 'shortcuts':
      return <shortcuts.Screen onClose={onClose} />;
    case 'bin':
      return <bin.Screen onClose={onClose} />;
    case 'archive':
      return <archive.Screen onClose={onClose} />;
    case 'export':
      return <exporting.Screen conversationId={dialog.conversationId} onClose={onClose} />;
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
    case 'settings':
      return <settings.Screen onClose={onClose} />;
    default:
      return dialog satisfies never;
  }
}

/** The first of these that can take the focus: what had it, the row it was in, the message box, the page's main part. */
function handBack(asker: Element): void {
  const row = asker.closest('li')?.querySelector('a, input');
  const composer = document.getElementById(composerId(FIRST_SLOT));
  for (const element of [asker, row, composer, document.getElementById('main')]) {
    if (document.activeElement !== document.body && document.activeElement?.isConnected) return;
    if (element instanceof HTMLElement) element.focus();
  }
}

/** The link of the row after, or else before, the row this element is in. */
function neighbourOf(element: Element | null): Element | null {
  const links = [...document.querySelectorAll('[data-testid="convo-item"]')];
  const row = element?.closest('li');
  const index = links.findIndex((link) => row?.contains(link));
  return index < 0 ? null : (links[index + 1] ?? links[index - 1] ?? null);
}
