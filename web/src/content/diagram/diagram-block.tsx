import { useCallback, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { saveFile } from '../../lib/save-file.ts';
import { CodeBlock, OpenPreview } from '../code/code-block.tsx';
import code from '../code/code-block.module.css';
import { useCopied } from '../use-copied.ts';
import { Diagram, type Drawing } from './diagram.tsx';
import classes from './diagram.module.css';
import { knownHeight, rememberHeight } from './known-heights.ts';
import { PlainButton } from '../../ui/primitives/plain-button.tsx';

/** The tallest drawing; what is taller is scrolled in its frame. */
const HEIGHT_MAX = 2_000;
/** Milliseconds after which the source of one that is not drawn is shown: what draws it may not be reached. */
const LATE_MS = 8_000;

/** A block of Mermaid: a frame that is empty until it is drawn, then the drawing, with the source one click away. */
export function DiagramBlock({ source }: { source: string }) {
  const { t } = useTranslation();
  const [drawing, setDrawing] = useState(() => roomFor(source));
  const [hasFailed, setFailed] = useState(false);
  const [showsSource, setShowsSource] = useState(false);
  const isLate = useIsLate();
  const { copied, copy } = useCopied();
  const hear = useCallback(
    (news: Drawing | { state: 'failed' }) => {
      setFailed(news.state === 'failed');
      if (news.state !== 'drawn') return;
      const height = Math.min(news.height, HEIGHT_MAX);
      setDrawing({ ...news, height });
      rememberHeight(source, height);
    },
    [source],
  );
  const isDrawn = drawing !== null && !hasFailed && !showsSource;
  const isComing = drawing === null && !hasFailed && !isLate;
  return (
    <>
      <div className={isDrawn ? code.frame : classes.waiting} data-failed={hasFailed || undefined}>
        <div className={code.header} data-control hidden={!isDrawn}>
          <span className={code.language}>mermaid</span>
          <PlainButton className={code.tool} onClick={() => setShowsSource(true)}>
            {t('com_content_source')}
          </PlainButton>
          <OpenPreview code={source} language="mermaid" />
          <PlainButton className={code.tool} onClick={() => drawing && save(drawing)}>
            {t('com_content_save_svg')}
          </PlainButton>
          <PlainButton className={code.tool} onClick={() => copy(source)}>
            <span aria-live="polite">{copied ? t('com_content_copied') : t('com_content_copy')}</span>
          </PlainButton>
        </div>
        <Diagram source={source} drawing={isDrawn ? drawing : null} onNews={hear} />
      </div>
      {isComing && <div className={code.drawing} data-place aria-busy />}
      {!isDrawn && !isComing && <CodeBlock code={source} language="mermaid" open={false} cursor={false} />}
      {!isDrawn && drawing && !hasFailed && (
        <PlainButton className={classes.back} onClick={() => setShowsSource(false)}>
          {t('com_content_show_diagram')}
        </PlainButton>
      )}
      {hasFailed && <p className={classes.note}>{t('com_content_diagram_failed')}</p>}
    </>
  );
}

/** The room of a diagram that has been drawn before. */
function roomFor(source: string): Drawing | null {
  const height = knownHeight(source);
  return height === undefined ? null : { state: 'drawn', height, svg: '' };
}

function useIsLate(): boolean {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), LATE_MS);
    return () => clearTimeout(timer);
  }, []);
  return isLate;
}

function save({ svg }: Drawing): void {
  if (svg === '') return;
  saveFile(new Blob([svg], { type: 'image/svg+xml' }), 'diagram.svg');
}
