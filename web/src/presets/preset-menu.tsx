import './lazy-words.ts';
import '@mantine/core/styles/Button.css';
import '@mantine/core/styles/Popover.css';
import { Button, Popover } from '@mantine/core';
import { IconDeviceFloppy, IconFileImport, IconTrash } from '@tabler/icons-react';
import { useRef, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import type { Chat } from '../chat/use-chat.ts';
import { focusAtOnce } from '../lib/focus-at-once.ts';
import { SkeletonRows } from '../shell/sidebar/list-states.tsx';
import { useShowDialog, type Dialog } from '../shell/dialogs/dialogs.ts';
import classes from './preset-menu.module.css';
import { PresetRow } from './preset-row.tsx';
import { useImportPreset } from './use-import-preset.ts';
import { usePresets, type Presets } from './use-presets.ts';

interface PresetMenuProps {
  chat: Chat;
  onClose: () => void;
  /** The focus went elsewhere. */
  onLeave: () => void;
}

/** The open list of presets, under whatever it is placed in. */
export function PresetMenu({ chat, onClose, onLeave }: PresetMenuProps) {
  const { t } = useTranslation();
  const showDialog = useShowDialog();
  const list = usePresets(0);
  const { addressee } = chat;

  /** The focus goes back to the button first: that is where it returns when the dialog closes. */
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
        <span className={classes.target} />
      </Popover.Target>
      <Popover.Dropdown
        ref={focusAtOnce}
        className={classes.dropdown}
        role="dialog"
        aria-label={t('com_endpoint_presets')}
        onKeyDown={onKeyDown}
      >
        <div className={classes.bar}>
          <Button
            variant="default"
            size="compact-md"
            className={classes.save}
            leftSection={<IconDeviceFloppy size={16} stroke={1.6} aria-hidden />}
            disabled={!addressee}
            onClick={() => {
              if (!addressee) return;
              const { endpoint, model, settings } = addressee;
              show({ name: 'preset', draft: { title: t('com_endpoint_my_preset'), endpoint, model, settings } });
            }}
          >
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
        <button type="button" className={classes.retry} onClick={refetch}>
          {t('com_ui_retry')}
        </button>
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
      <ul className={classes.list} onKeyDown={walk}>
        {presets.map((preset) => (
          <PresetRow key={preset.presetId} preset={preset} chat={chat} onClose={onClose} show={show} />
        ))}
      </ul>
      <Button
        variant="subtle"
        size="compact-sm"
        className={classes.clear}
        leftSection={<IconTrash size={15} stroke={1.6} aria-hidden />}
        onClick={() => show({ name: 'clear-presets' })}
      >
        {t('com_endpoint_presets_clear')}
      </Button>
    </>
  );
}

/** The arrows go from row to row. */
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
  const input = useRef<HTMLInputElement>(null);
  const importPreset = useImportPreset();
  return (
    <>
      <Button
        variant="default"
        size="compact-md"
        leftSection={<IconFileImport size={16} stroke={1.6} aria-hidden />}
        onClick={() => input.current?.click()}
      >
        {t('com_endpoint_preset_import_file')}
      </Button>
      <input
        ref={input}
        type="file"
        accept=".json,application/json"
        aria-label={t('com_endpoint_preset_import_file')}
        tabIndex={-1}
        hidden
        onChange={({ currentTarget }) => {
          const file = currentTarget.files?.[0];
          // The same file again is a choice, too.
          currentTarget.value = '';
          if (file) void importPreset(file);
        }}
      />
    </>
  );
}
