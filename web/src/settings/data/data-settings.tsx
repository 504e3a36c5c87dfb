import { useTranslation } from 'react-i18next';
import { useId, useEffect, useRef, useState } from 'react';
import { ShareList } from '../../shares/share-list.tsx';
import { useStartup } from '../../startup.ts';
import { Findable } from '../search/findable.tsx';
import { DialogRow } from '../dialog-row.tsx';
import { Setting } from '../setting.tsx';
import { useShowDialog } from '../../dialogs/open-dialog.ts';
import { Button } from '../../ui/button.tsx';
import { useReturn } from '../settings-place.ts';
import { formatNumber } from '../../lib/format-number.ts';
import { trpc, api } from '../../trpc.ts';
import { errorReason } from '../../errors/error-reason.ts';
import { formatBytes } from '../../files/format-bytes.ts';
import { saveFile } from '../../lib/save-file.ts';
import { showToast } from '../../ui/toast/toast.ts';
import classes from './export-all.module.css';
import { session } from '../../session/current-session.ts';

class ExportError extends Error {
  override name = 'ExportError';
  readonly status: number;

  constructor(status: number) {
    super(`The export was refused: ${status}`);
    this.status = status;
  }
}

/** Pieces are given to the browser, which may keep them on disk. */
const PIECE_BYTES = 16 * 1024 * 1024;

/** What a person has here: to take along, to bring, to find again and to delete. */
export function DataSettings() {
  const { t } = useTranslation();
  const canShare = useStartup()?.sharedLinksEnabled ?? true;
  return (
    <>
      <ExportAll />
      <ImportConvos />
      <DialogRow dialog="files" label={t('com_files')} hint={t('com_settings_files_hint')} />
      <DialogRow dialog="archive" label={t('com_archive')} hint={t('com_archive_hint')} />
      <DialogRow dialog="trash" label={t('com_bin')} hint={t('com_settings_bin_hint')} />
      <RetentionRow />
      {canShare && (
        <Findable words={t('com_share_links')}>
          <ShareList />
        </Findable>
      )}
    </>
  );
}

/** Setting row: opens the import of conversations. */
function ImportConvos() {
  const { t } = useTranslation();
  const showDialog = useShowDialog();
  const { back, isReturn } = useReturn('import');
  const name = t('com_nav_import_conversations');
  return (
    <Setting name={name} hint={t('com_import_sources')}>
      <Button
        size="sm"
        aria-haspopup="dialog"
        aria-label={name}
        data-autofocus={isReturn || undefined}
        onClick={() => showDialog({ name: 'import', back })}
      >
        {t('com_import_start')}
      </Button>
    </Setting>
  );
}

/** After how long this site puts chats into the trash; nothing where it does not. */
function RetentionRow() {
  const { t, i18n } = useTranslation();
  const { data, isPending } = trpc.convos.retention.useQuery();
  if (isPending) return <span data-loading hidden />;
  if (!data || data.chatsDays === null) return null;
  const days = formatNumber(data.chatsDays, i18n.language);
  return <Setting name={t('com_settings_retention')} hint={t('com_settings_retention_hint', { 0: days })} />;
}

/** Setting row: downloads everything of the person as one file. Closing the dialog cancels. */
function ExportAll() {
  const { t, i18n } = useTranslation();
  const id = useId();
  const [bytes, setBytes] = useState<number | null>(null);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);

  async function start(): Promise<void> {
    const controller = new AbortController();
    running.current = controller;
    setBytes(0);
    try {
      const file = await downloadExport(setBytes, controller.signal);
      saveFile(file, `parley-export-${new Date().toISOString().slice(0, 10)}.zip`);
      showToast({ message: t('com_account_exported'), severity: 'success' });
    } catch (error) {
      if (!controller.signal.aborted) showToast({ message: t(sentenceOf(error)), severity: 'error' });
    }
    setBytes(null);
  }

  return (
    <Setting
      name={t('com_account_export')}
      nameId={id}
      hint={`${t('com_account_export_hint')} ${t('com_account_export_left')}`}
    >
      {bytes === null ? (
        <Button size="sm" aria-describedby={id} data-testid="export-all" onClick={() => void start()}>
          {t('com_account_export_start')}
        </Button>
      ) : (
        <div className={classes.progress}>
          <span className="hint" role="status">
            {t('com_account_export_received', { 0: formatBytes(bytes, i18n.language) })}
          </span>
          <Button size="sm" data-testid="cancel-export-all" onClick={() => running.current?.abort()}>
            {t('com_ui_cancel')}
          </Button>
        </div>
      )}
    </Setting>
  );
}

function sentenceOf(error: unknown) {
  if (errorReason(error)?.type === 'step_up_needed') return 'com_error_step_up_needed';
  return error instanceof ExportError && error.status === 429
    ? 'com_account_export_later'
    : 'com_account_export_failed';
}

// Reads the export of everything while the server writes it.

/** `onProgress` gets the bytes so far. @throws ExportError when the server refuses; the reason of `signal` */
async function downloadExport(onProgress: (bytes: number) => void, signal: AbortSignal): Promise<Blob> {
  // Asks who one is before, where that was long ago.
  await api.auth.stepUp.check.mutate();
  const token = await session.freshToken();
  const response = await fetch('/api/export', { headers: { authorization: `Bearer ${token ?? ''}` }, signal });
  if (!response.ok || !response.body) throw new ExportError(response.status);
  const pieces: Blob[] = [];
  let waiting: Uint8Array<ArrayBuffer>[] = [];
  let [bytes, unkept] = [0, 0];
  const reader = response.body.getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    waiting.push(read.value);
    bytes += read.value.length;
    unkept += read.value.length;
    onProgress(bytes);
    if (unkept < PIECE_BYTES) continue;
    pieces.push(new Blob(waiting));
    [waiting, unkept] = [[], 0];
  }
  return new Blob([...pieces, ...waiting], { type: 'application/zip' });
}
