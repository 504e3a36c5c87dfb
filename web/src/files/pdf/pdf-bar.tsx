import { IconArrowsHorizontal, IconChevronDown, IconChevronUp, IconZoomIn, IconZoomOut } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatNumber, formatPercent } from '../../lib/format-number.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import classes from './pdf-view.module.css';

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
export function PdfBar({ page, pages, scale, onPage, onZoom, onFit }: PdfBarProps) {
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
