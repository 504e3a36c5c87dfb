import { useEffect, useEffectEvent, useRef, useState, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import type { CitedPassage, ViewedFile } from '../../dialogs/viewed-file.ts';
import { SkeletonRows } from '../../ui/skeleton/skeleton-rows.tsx';
import type { Finder } from '../viewer/finder.ts';
import { isOwn } from '../text/load-text.ts';
import { locateQuote } from '../text/locate-quote.ts';
import { NotShown } from '../viewer/not-shown.tsx';
import { clearMarks, paintMarks, readRanges, scrollToRange } from '../text/text-ranges.ts';
import { createViewer, type Viewer } from './create-viewer.ts';
import { openPdf } from './load-pdf.ts';
import classes from './pdf-view.module.css';
import { ScrollRegion } from '../../ui/primitives/scroll-region.tsx';
import { IconArrowsHorizontal, IconChevronDown, IconChevronUp, IconZoomIn, IconZoomOut } from '@tabler/icons-react';
import { formatNumber, formatPercent } from '../../lib/format-number.ts';
import { IconButton } from '../../ui/icon-button.tsx';

interface PdfViewProps {
  file: ViewedFile & { bytes: number };
  cited: CitedPassage | null;
  finder: Finder;
}

type Failure = 'password' | 'damaged' | 'unreachable';

/** A larger file stays on the server, apart from the pages that are looked at. */
const WHOLE_MAX = 24 * 1024 * 1024;

/** The pages of a PDF. It begins at the cited page, where the passage is marked. */
export function PdfView(props: PdfViewProps) {
  const [attempt, setAttempt] = useState(0);
  return <Pages key={attempt} {...props} onRetry={() => setAttempt(attempt + 1)} />;
}

function Pages({ file, cited, finder, onRetry }: PdfViewProps & { onRetry: () => void }) {
  const { t } = useTranslation();
  const frame = useRef<HTMLDivElement>(null);
  const { viewer, pages, page, scale, failure } = usePdf(frame, file, cited, finder);
  useFind(viewer, finder);
  useFollowWidth(frame, viewer);

  if (failure !== null) {
    const reasons = {
      password: t('com_viewer_password'),
      damaged: t('com_viewer_damaged'),
      unreachable: t('com_viewer_failed'),
    };
    const retry = failure === 'unreachable' ? { onRetry } : {};
    return <NotShown file={file} reason={reasons[failure]} {...retry} />;
  }
  return (
    <>
      <PdfBar
        page={page}
        pages={pages}
        scale={scale}
        onPage={(number) => viewer?.goTo(number)}
        onZoom={(steps) => viewer?.zoom(steps)}
        onFit={() => viewer?.fitWidth()}
      />
      <div className={classes.place}>
        <ScrollRegion ref={frame} className={classes.frame} role="region" aria-label={file.name} data-file-body>
          <div className="pdfViewer" />
        </ScrollRegion>
        {pages === null && <SkeletonRows count={8} />}
      </div>
    </>
  );
}

function usePdf(
  frame: RefObject<HTMLDivElement | null>,
  file: PdfViewProps['file'],
  cited: CitedPassage | null,
  finder: Finder,
) {
  const { t } = useTranslation();
  const [viewer, setViewer] = useState<Viewer | null>(null);
  const [pages, setPages] = useState<number | null>(null);
  const [page, setPage] = useState(cited?.page ?? 1);
  const [scale, setScale] = useState(1);
  const [failure, setFailure] = useState<Failure | null>(null);
  const report = useEffectEvent(finder.report);
  const describePage = useEffectEvent((number: number) => t('com_viewer_page_label', { 0: number }));
  const markCited = useEffectEvent(useMarkCited(frame, cited));

  const begin = useEffectEvent(async (signal: AbortSignal): Promise<() => void> => {
    const { current } = frame;
    if (!current) return () => {};
    const made = await createViewer(current, {
      onPage: setPage,
      onScale: setScale,
      onFound: (found) => report(found),
      onText: (number, layer) => markCited(number, layer),
      describePage: (number) => describePage(number),
    });
    const isWhole = file.bytes <= WHOLE_MAX || !isOwn(file);
    const task = await openPdf(file.path, isWhole ? 'whole' : 'pieces');
    const end = () => {
      made.destroy();
      void task.destroy();
    };
    task.promise.then(
      (document) => {
        if (signal.aborted) return;
        setPages(document.numPages);
        made.show(document, cited?.page ?? 1);
        setViewer(made);
      },
      (error: unknown) => {
        if (!signal.aborted) setFailure(failureOf(error));
      },
    );
    return end;
  });

  useEffect(() => {
    const ending = new AbortController();
    const begun = begin(ending.signal);
    begun.catch(() => ending.signal.aborted || setFailure('unreachable'));
    return () => {
      ending.abort();
      clearMarks();
      setViewer(null);
      setPages(null);
      begun.then(
        (end) => end(),
        () => undefined,
      );
    };
  }, [file.path]);

  return { viewer, pages, page, scale, failure };
}

/** Marks the cited passage once the text of its page is there, and scrolls to it the first time. */
function useMarkCited(frame: RefObject<HTMLElement | null>, cited: CitedPassage | null) {
  const hasScrolled = useRef(false);
  return (page: number, text: HTMLElement) => {
    const range = page === cited?.page ? markPassage(cited, text) : null;
    if (!range || !frame.current || hasScrolled.current) return;
    hasScrolled.current = true;
    scrollToRange(range, frame.current);
  };
}

/** Marks the cited passage in the text of its page. Returns where it is. */
function markPassage(cited: CitedPassage, layer: HTMLElement): Range | null {
  const { text, rangeOf } = readRanges(layer);
  const found = locateQuote(text, cited.quote);
  const range = found && rangeOf(found);
  paintMarks({ 'file-cited': range ? [range] : [] });
  return range;
}

/** The pages stay as wide as the panel. */
function useFollowWidth(frame: RefObject<HTMLElement | null>, viewer: Viewer | null): void {
  useEffect(() => {
    const { current } = frame;
    if (!viewer || !current) return;
    const observer = new ResizeObserver(() => viewer.resize());
    observer.observe(current);
    return () => observer.disconnect();
  }, [viewer, frame]);
}

function failureOf(error: unknown): Failure {
  const name = error instanceof Error ? error.name : '';
  if (name === 'PasswordException') return 'password';
  return name === 'InvalidPDFException' ? 'damaged' : 'unreachable';
}

/** The search is the viewer's: it reads all pages. */
function useFind(viewer: Viewer | null, { text, presses, step }: Finder): void {
  useEffect(() => viewer?.find(text, 'first'), [viewer, text]);
  const move = useEffectEvent(() => {
    if (text !== '') viewer?.find(text, step === 1 ? 'next' : 'previous');
  });
  useEffect(() => {
    if (presses > 0) move();
  }, [presses]);
}

interface PdfBarProps {
  page: number;
  /** Null until it is known. */
  pages: number | null;
  scale: number;
  onPage: (page: number) => void;
  onZoom: (steps: 1 | -1) => void;
  onFit: () => void;
}

/** Where in the PDF one is, and how large it is. */
function PdfBar({ page, pages, scale, onPage, onZoom, onFit }: PdfBarProps) {
  const { t, i18n } = useTranslation();
  return (
    <div className={classes.bar}>
      {/* At an end a disabled button would lose the focus. */}
      <IconButton label={t('com_viewer_previous_page')} aria-disabled={page <= 1} onClick={() => goTo(page - 1)}>
        <IconChevronUp aria-hidden />
      </IconButton>
      <IconButton
        label={t('com_viewer_next_page')}
        aria-disabled={pages === null || page >= pages}
        onClick={() => goTo(page + 1)}
      >
        <IconChevronDown aria-hidden />
      </IconButton>
      <PageField key={page} page={page} onPage={goTo} />
      <span className={classes.pages}>
        {pages !== null && t('com_viewer_page_of', { 0: formatNumber(pages, i18n.language) })}
      </span>
      <span className={classes.gap} />
      <IconButton label={t('com_files_zoom_out')} onClick={() => onZoom(-1)}>
        <IconZoomOut aria-hidden />
      </IconButton>
      <span className={classes.scale}>{formatPercent(scale, i18n.language)}</span>
      <IconButton label={t('com_files_zoom_in')} onClick={() => onZoom(1)}>
        <IconZoomIn aria-hidden />
      </IconButton>
      <IconButton label={t('com_viewer_fit_width')} onClick={onFit}>
        <IconArrowsHorizontal aria-hidden />
      </IconButton>
    </div>
  );

  function goTo(number: number): void {
    if (pages !== null && number >= 1 && number <= pages) onPage(number);
  }
}

/** Takes another page once it is confirmed. */
function PageField({ page, onPage }: { page: number; onPage: (page: number) => void }) {
  const { t } = useTranslation();
  const [text, setText] = useState(String(page));
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onPage(Number(text));
        setText(String(page));
      }}
    >
      <input
        className={classes.page}
        inputMode="numeric"
        aria-label={t('com_viewer_page')}
        value={text}
        onFocus={({ currentTarget }) => currentTarget.select()}
        onBlur={() => setText(String(page))}
        onChange={({ currentTarget }) => setText(currentTarget.value.replaceAll(/\D/g, '').slice(0, 6))}
      />
    </form>
  );
}
