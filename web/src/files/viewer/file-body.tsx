import type { FileText, TextSection } from '@parley/schema/files/documents';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { CitedPassage, ViewedFile } from '../../dialogs/viewed-file.ts';
import { LazyBoundary } from '../../ui/lazy/lazy-boundary.tsx';
import { lazyScreen } from '../../ui/lazy/lazy-screen.tsx';
import { SkeletonRows } from '../../ui/skeleton/skeleton-rows.tsx';
import { describeDocument, isUnfinished } from '../document-status.ts';
import { DocumentView } from './document-view.tsx';
import type { FileKind } from './file-kind.ts';
import type { Finder } from './finder.ts';
import { isOwn, TEXT_BYTES_MAX } from '../text/load-text.ts';
import { MarkdownView } from './markdown-view.tsx';
import { NotShown } from './not-shown.tsx';
import { parseCsv } from '../text/read-cells.ts';
import { readSheets } from './read-sheets.ts';
import { TableView } from './table-view.tsx';
import { useFileText, usePlainText } from '../text/text-queries.ts';
import { TextView } from './text-view.tsx';

const pdf = lazyScreen(async () => (await import('../pdf/pdf-view.tsx')).PdfView);

export interface KnownFile extends ViewedFile {
  mime: string;
  bytes: number;
}

interface FileBodyProps {
  file: KnownFile;
  kind: FileKind;
  cited: CitedPassage | null;
  finder: Finder;
}

/** Longer Markdown is shown as its source: drawing it would hold up the page. */
const MARKDOWN_MAX = 1_000_000;

export function FileBody(props: FileBodyProps) {
  const { t } = useTranslation();
  const { file, kind } = props;
  switch (kind) {
    case 'pdf':
      return (
        <LazyBoundary fallback={<SkeletonRows count={8} />}>
          <pdf.Screen {...props} />
        </LazyBoundary>
      );
    case 'text':
    case 'markdown':
    case 'csv':
      if (file.bytes > TEXT_BYTES_MAX) return <NotShown file={file} reason={t('com_viewer_too_large')} />;
      return <PlainBody {...props} />;
    case 'sheets':
    case 'document':
      return isOwn(file) ? <ReadBody {...props} /> : <NotShown file={file} reason={t('com_viewer_not_here')} />;
    case 'media':
      return <NotShown file={file} reason={t('com_viewer_media')} />;
    case 'image':
    case 'other':
      return <NotShown file={file} reason={t('com_viewer_unknown_kind')} />;
    default:
      return kind satisfies never;
  }
}

/** A file whose bytes are its text. */
function PlainBody({ file, kind, cited, finder }: FileBodyProps) {
  const { t } = useTranslation();
  const { data: text, isError, refetch } = usePlainText(file);
  const sheets = useMemo(() => (kind === 'csv' && text !== undefined ? [sheetOfCsv(text)] : []), [kind, text]);
  if (isError) return <NotShown file={file} reason={t('com_viewer_failed')} onRetry={() => void refetch()} />;
  if (text === undefined) return <SkeletonRows count={8} />;
  if (text === '') return <NotShown file={file} reason={t('com_viewer_empty')} />;
  if (kind === 'csv') return <TableView sheets={sheets} cited={cited} finder={finder} />;
  if (kind === 'markdown' && text.length <= MARKDOWN_MAX)
    return <MarkdownView label={file.name} text={text} quote={cited?.quote ?? null} finder={finder} />;
  return <TextView file={file} text={text} cited={cited} finder={finder} />;
}

function sheetOfCsv(text: string) {
  const [columns = [], ...rows] = parseCsv(text);
  return { name: '', columns, rows, passages: null };
}

/** A file whose text the server has read. */
function ReadBody({ file, kind, cited, finder }: FileBodyProps) {
  const { t } = useTranslation();
  const { data, isError, refetch } = useFileText(file.fileId);
  const sections = useMemo(() => data?.pages.flatMap((part) => part.sections) ?? [], [data]);
  const sheets = useMemo(() => (kind === 'sheets' ? readSheets(sections) : []), [kind, sections]);
  const [first] = data?.pages ?? [];
  if (!first && isError) return <NotShown file={file} reason={t('com_viewer_failed')} onRetry={() => void refetch()} />;
  if (!first) return <SkeletonRows count={8} />;
  if (isUnread(first, sections)) return <NotShown file={file} reason={whyUnread(file.name, first)} />;
  if (kind === 'sheets') return <TableView sheets={sheets} cited={cited} finder={finder} />;
  return <DocumentView name={file.name} sections={sections} cited={cited} finder={finder} />;

  function whyUnread(name: string, { document, isWhole }: FileText): string {
    if (!isWhole) return t('com_viewer_elsewhere');
    if (document && isUnfinished(document)) return t('com_viewer_reading');
    const description = document?.state === 'failed' ? describeDocument(name, document, t) : null;
    return description ?? t('com_viewer_no_text');
  }
}

function isUnread({ isWhole }: FileText, sections: readonly TextSection[]): boolean {
  return !isWhole || sections.length === 0;
}
