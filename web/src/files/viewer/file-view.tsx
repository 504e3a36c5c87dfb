import { IconDownload, IconSearch, IconX, IconChevronDown, IconChevronUp } from '@tabler/icons-react';
import { useEffect, useRef, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import type { CitedPassage, ViewedFile } from '../../dialogs/viewed-file.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { SkeletonRows } from '../../ui/skeleton/skeleton-rows.tsx';
import { downloadFile } from '../download-file.ts';
import { FileIcon } from '../file-icon.tsx';
import { usePassage } from '../files-api.ts';
import { formatBytes } from '../format-bytes.ts';
import { FileBody, type KnownFile } from './file-body.tsx';
import { kindOfFile, type FileKind } from './file-kind.ts';
import { useFinder, type Found, type FinderState } from './finder.ts';
import { NotShown } from './not-shown.tsx';
import classes from './file-view.module.css';
import { formatNumber } from '../../lib/format-number.ts';
import { SearchField } from '../../ui/fields/search-field.tsx';

interface FileViewProps {
  file: ViewedFile;
  cited: CitedPassage | null;
  titleId: string;
  onClose: () => void;
}

/** Kinds without a text to search in. */
const UNSEARCHED: readonly FileKind[] = ['image', 'media', 'other'];

/** A file with its name and what can be done with it. Ctrl+F searches in it while the focus is inside. */
export function FileView({ file, cited, titleId, onClose }: FileViewProps) {
  const { t } = useTranslation();
  const search = useFinder();
  const frame = useRef<HTMLDivElement>(null);
  const known = useKnown(file, cited);
  const kind = known.file && kindOfFile(known.file);
  const canSearch = kind !== null && !UNSEARCHED.includes(kind);
  useEffect(() => {
    if (!frame.current) return;
    focusBody(frame.current);
    return passFocusOn(frame.current);
  }, []);

  function onKeyDown(event: KeyboardEvent): void {
    const isFind = event.key.toLowerCase() === 'f' && (event.ctrlKey || event.metaKey) && !event.altKey;
    if (!isFind || event.shiftKey || !canSearch) return;
    event.preventDefault();
    search.open();
    frame.current?.querySelector<HTMLInputElement>('search input')?.select();
  }

  function closeSearch(): void {
    search.close();
    focusBody(frame.current);
  }

  return (
    // Only handles what bubbles up from its controls.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div ref={frame} className={classes.view} tabIndex={-1} onKeyDown={onKeyDown}>
      <div className={classes.top}>
        {known.file && (
          <span className={classes.icon}>
            <FileIcon mime={known.file.mime} />
          </span>
        )}
        <Title file={known.file ?? file} titleId={titleId} />
        {canSearch && (
          <IconButton label={t('com_viewer_find')} aria-expanded={search.isOpen} onClick={search.open}>
            <IconSearch aria-hidden />
          </IconButton>
        )}
        <IconButton label={t('com_files_download')} onClick={() => void downloadFile(file, file.name)}>
          <IconDownload aria-hidden />
        </IconButton>
        <IconButton label={t('com_viewer_close')} data-autofocus onClick={onClose}>
          <IconX aria-hidden />
        </IconButton>
      </div>
      {search.isOpen && canSearch && <FindBar state={search} onClose={closeSearch} />}
      <div className={classes.body}>
        {known.file && kind && (
          <FileBody key={file.fileId} file={known.file} kind={kind} cited={cited} finder={search.finder} />
        )}
        {known.isFailed && <NotShown file={file} reason={t('com_viewer_gone')} onRetry={known.retry} />}
        {!known.file && !known.isFailed && <SkeletonRows count={8} />}
      </div>
    </div>
  );
}

function Title({ file: { name, bytes }, titleId }: { file: Pick<ViewedFile, 'name' | 'bytes'>; titleId: string }) {
  const { i18n } = useTranslation();
  return (
    <div className={classes.title}>
      <h2 id={titleId} dir="auto" data-tooltip={name} data-cut>
        {name}
      </h2>
      {bytes !== null && <span>{formatBytes(bytes, i18n.language)}</span>}
    </div>
  );
}

/** The type and size of a file of which only a citation is known are asked for. */
function useKnown(file: ViewedFile, cited: CitedPassage | null) {
  const { fileId, mime, bytes } = file;
  const isKnown = mime !== null && bytes !== null;
  const { data, isError, refetch } = usePassage({ fileId, n: cited?.n ?? 0 }, !isKnown);
  const found: KnownFile | null = isKnown ? { ...file, mime, bytes } : data ? { ...file, ...data } : null;
  return { file: found && keepKnown(found), isFailed: !isKnown && isError, retry: () => void refetch() };
}

function keepKnown({ fileId, name, path, mime, bytes }: KnownFile): KnownFile {
  return { fileId, name, path, mime, bytes };
}

/** Marks what of a file is read: it takes the focus, so that the keys scroll it. */
const BODY = '[data-file-body]';

/** Focuses what is read, or the frame until that is there. */
function focusBody(frame: HTMLElement | null): void {
  const body = frame?.querySelector<HTMLElement>(BODY) ?? frame;
  body?.focus({ preventScroll: true });
}

/** Passes the focus on to what is read once it is drawn, unless the person has moved on. */
function passFocusOn(frame: HTMLElement): () => void {
  const observer = new MutationObserver(() => {
    if (document.activeElement === frame && frame.querySelector(BODY)) focusBody(frame);
  });
  observer.observe(frame, { subtree: true, childList: true });
  return () => observer.disconnect();
}

/** The search in the file on screen. Enter goes to the next place, Shift+Enter to the one before, Escape ends it. */
function FindBar({ state, onClose }: { state: FinderState; onClose: () => void }) {
  const { t } = useTranslation();
  const { text, found, search, move } = state;
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.select(), []);

  function onKeyDown(event: KeyboardEvent): void {
    const keys: Record<string, () => void> = { Enter: () => move(event.shiftKey ? -1 : 1), Escape: onClose };
    const act = keys[event.key];
    if (!act || event.nativeEvent.isComposing) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  }

  return (
    <search className={classes.find}>
      <SearchField
        ref={field}
        className={classes.findField}
        placeholder={t('com_viewer_find')}
        value={text}
        onChange={({ currentTarget }) => search(currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <Count found={found} isSearch={text.trim() !== ''} />
      <IconButton label={t('com_viewer_find_previous')} onClick={() => move(-1)}>
        <IconChevronUp aria-hidden />
      </IconButton>
      <IconButton label={t('com_viewer_find_next')} onClick={() => move(1)}>
        <IconChevronDown aria-hidden />
      </IconButton>
      <IconButton label={t('com_viewer_find_close')} onClick={onClose}>
        <IconX aria-hidden />
      </IconButton>
    </search>
  );
}

function Count({ found, isSearch }: { found: Found | null; isSearch: boolean }) {
  const { t, i18n } = useTranslation();
  const number = (value: number) => formatNumber(value, i18n.language);
  const words =
    found === null || !isSearch
      ? ''
      : found.of === 0
        ? t('com_viewer_found_nothing')
        : t('com_viewer_found', { 0: number(found.at), 1: number(found.of) });
  return (
    <span className={classes.count} role="status">
      {words}
    </span>
  );
}
