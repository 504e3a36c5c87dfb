import '@mantine/core/styles/Popover.css';
import { Popover } from '@mantine/core';
import { IconDeviceFloppy, IconTrash } from '@tabler/icons-react';
import type { KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import type { Chat } from '../use-chat.ts';
import popover from '../../ui/menu/anchored-popover.module.css';
import { focusOnOpen } from '../../ui/menu/focus-on-open.ts';
import { useShowDialog, type Dialog } from '../../dialogs/open-dialog.ts';
import { Button } from '../../ui/button.tsx';
import { FileButton } from '../../ui/file-button.tsx';
import classes from './preset-menu.module.css';
import { PresetRow } from './preset-row.tsx';
import { usePresets, type Presets } from '../../presets/use-presets.ts';
import { SkeletonRows } from '../../ui/skeleton/skeleton-rows.tsx';
import { showToast } from '../../ui/toast/toast.ts';
import { readPresetFile } from '../../presets/preset-file.ts';
import { useSavePreset } from '../../presets/use-save-preset.ts';

interface PresetMenuProps {
  chat: Chat;
  onClose: () => void;
  /** The focus moved elsewhere. */
  onLeave: () => void;
}

/** The open list of presets, positioned under its parent. */
export function PresetMenu({ chat, onClose, onLeave }: PresetMenuProps) {
  const { t } = useTranslation();
  const showDialog = useShowDialog();
  const list = usePresets(0);
  const { modelTarget } = chat;

  /** Focuses the button first: the dialog restores the focus to it. */
  function show(dialog: Dialog): void {
    onClose();
    showDialog(dialog);
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key === 'Escape') {
      event.preventDefault();
      event.stopPropagation();
      onClose();
    }
  }

  return (
    <Popover
      opened
      onDismiss={onLeave}
      closeOnEscape={false}
      position="bottom-end"
      middlewares={{ shift: { padding: 10 } }}
      offset={4}
      width={380}
      trapFocus
      withRoles={false}
      withinPortal={false}
    >
      <Popover.Target>
        <span className={popover.target} />
      </Popover.Target>
      <Popover.Dropdown
        ref={focusOnOpen}
        className={classes.dropdown}
        role="dialog"
        aria-label={t('com_endpoint_presets')}
        onKeyDown={onKeyDown}
      >
        <div className={classes.bar}>
          <Button
            size="sm"
            className={classes.save}
            disabled={!modelTarget}
            onClick={() => {
              if (!modelTarget) return;
              const { endpoint, model, settings } = modelTarget;
              show({ name: 'preset', draft: { title: t('com_endpoint_my_preset'), endpoint, model, settings } });
            }}
          >
            <IconDeviceFloppy aria-hidden />
            {t('com_endpoint_save_as_preset')}
          </Button>
          <ImportButton />
        </div>
        <List list={list} chat={chat} onClose={onClose} show={show} />
      </Popover.Dropdown>
    </Popover>
  );
}

interface ListProps {
  list: Presets;
  chat: Chat;
  onClose: () => void;
  show: (dialog: Dialog) => void;
}

function List({ list, chat, onClose, show }: ListProps) {
  const { t } = useTranslation();
  const { presets, hasFailed, refetch } = list;
  if (!presets && hasFailed)
    return (
      <p className={classes.note} role="alert">
        {t('com_endpoint_presets_failed')}{' '}
        <Button variant="subtle" size="sm" onClick={refetch}>
          {t('com_ui_retry')}
        </Button>
      </p>
    );
  if (!presets)
    return (
      <div role="status" aria-label={t('com_endpoint_presets_loading')}>
        <SkeletonRows count={3} />
      </div>
    );
  if (presets.length === 0) return <p className={classes.note}>{t('com_endpoint_no_presets')}</p>;
  return (
    <>
      {/* Only handles events that bubble up from its buttons. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <ul className={classes.list} onKeyDown={walk}>
        {presets.map((preset) => (
          <PresetRow key={preset.presetId} preset={preset} chat={chat} onClose={onClose} show={show} />
        ))}
      </ul>
      <Button variant="subtle" size="sm" className={classes.clear} onClick={() => show({ name: 'clear-presets' })}>
        <IconTrash aria-hidden />
        {t('com_endpoint_presets_clear')}
      </Button>
    </>
  );
}

/** The arrow keys move from row to row. */
function walk(event: KeyboardEvent<HTMLUListElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!step) return;
  event.preventDefault();
  const rows = [...event.currentTarget.children];
  const here = rows.findIndex((row) => row.contains(document.activeElement));
  rows[(here + step + rows.length) % rows.length]?.querySelector('button')?.focus();
}

function ImportButton() {
  const { t } = useTranslation();
  const importPreset = useImportPreset();
  return (
    <FileButton
      size="sm"
      label={t('com_endpoint_preset_import_file')}
      accept=".json,application/json"
      onFile={(file) => void importPreset(file)}
    />
  );
}

/** Returns a function that saves the contents of a file as a new preset. */
function useImportPreset(): (file: File) => Promise<void> {
  const { t } = useTranslation();
  const { save } = useSavePreset(({ title }) =>
    showToast({ message: t('com_endpoint_preset_imported', { 0: title }), severity: 'success' }),
  );
  return async (file) => {
    const preset = await readPresetFile(file).catch(() => null);
    if (preset) save({ ...preset, title: preset.title ?? t('com_endpoint_new_preset') });
    else showToast({ message: t('com_endpoint_preset_import_error'), severity: 'error' });
  };
}
