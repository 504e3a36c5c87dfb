import { IconDownload, IconFileOff } from '@tabler/icons-react';
import type { FilePart } from '@parley/schema/messages/messages';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../ui/icon-button.tsx';
import { downloadFile } from '../download-file.ts';
import { FilePreview } from '../file-preview.tsx';
import { formatBytes } from '../format-bytes.ts';
import { useShowFile } from '../open-file.ts';
import { useIsRemoved } from '../removed-files.ts';
import classes from './message-files.module.css';
import { useQuery } from '@tanstack/react-query';
import { api, queryClient } from '../../trpc.ts';

/** Milliseconds in which questions are gathered: the rows of a message are drawn together. */
const GATHER_MS = 20;

/** Files of one question. */
const ASKED_MAX = 50;

let asked: Asked[] = [];

/** A file of a message: a press on its name shows it, one on its arrow saves it. */
export function FileRow({ file }: { file: FilePart }) {
  const { t, i18n } = useTranslation();
  const show = useShowFile();
  const { fileId, name, mime, bytes, path } = file;
  // Visitors of a shared conversation cannot ask.
  const exists = useExists(fileId, path.startsWith('/api/files/'));
  const isRemoved = useIsRemoved(fileId) || !exists;
  const size = formatBytes(bytes, i18n.language);
  if (isRemoved) {
    return (
      <span className={classes.missing} role="img" aria-label={t('com_files_picture_missing', { 0: name })}>
        <IconFileOff aria-hidden />
        <span className="ellipsis" dir="auto">
          {name}
        </span>
      </span>
    );
  }
  return (
    <span className={classes.row}>
      <button type="button" className={classes.opener} data-content data-tooltip={name} onClick={() => show(file)}>
        <FilePreview className={classes.icon} path={path} mime={mime} />
        <span className={classes.details}>
          <span className={classes.fileName} dir="auto">
            {name}
          </span>
          <span className="small">{size}</span>
        </span>
      </button>
      <IconButton
        label={t('com_files_download_named', { 0: name, 1: size })}
        onClick={() => void downloadFile(file, name)}
      >
        <IconDownload aria-hidden />
      </IconButton>
    </span>
  );
}

interface Asked {
  fileId: string;
  resolve: (exists: boolean) => void;
  reject: (error: unknown) => void;
}

/** Whether a file of the user still exists; true until it is known, and while it cannot be. */
function useExists(fileId: string, isAsked: boolean): boolean {
  const { data = true } = useQuery(
    {
      queryKey: ['files', 'exists', fileId],
      queryFn: () => exists(fileId),
      enabled: isAsked,
      staleTime: Infinity,
      retry: false,
    },
    // Messages are drawn outside of the app, too, for images of conversations.
    queryClient,
  );
  return data;
}

function exists(fileId: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    asked.push({ fileId, resolve, reject });
    if (asked.length === 1) setTimeout(askTogether, GATHER_MS);
  });
}

function askTogether(): void {
  const all = asked;
  asked = [];
  for (let at = 0; at < all.length; at += ASKED_MAX) void ask(all.slice(at, at + ASKED_MAX));
}

async function ask(some: readonly Asked[]): Promise<void> {
  try {
    const found = new Set(await api.files.existing.query({ ids: some.map(({ fileId }) => fileId) }));
    for (const { fileId, resolve } of some) resolve(found.has(fileId));
  } catch (error) {
    for (const { reject } of some) reject(error);
  }
}
