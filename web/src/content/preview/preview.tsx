import { useCallback, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './preview.module.css';

interface PreviewProps {
  id: string;
  code: string;
  isSvg: boolean;
}

/** The page or picture of a block of code, in a frame that runs nothing and reaches nothing. */
export function Preview({ id, code, isSvg }: PreviewProps) {
  const { t } = useTranslation();
  const frame = useRef<HTMLIFrameElement>(null);
  // Its origin is none that could be named.
  const send = useCallback(() => frame.current?.contentWindow?.postMessage({ code, isSvg }, '*'), [code, isSvg]);
  // For changes after it has loaded.
  useEffect(() => void send(), [send]);
  return (
    <div id={id} className={classes.preview} data-control>
      <iframe
        ref={frame}
        className={classes.frame}
        title={t('com_content_preview')}
        src="/artifact/still.html"
        sandbox="allow-scripts"
        onLoad={send}
      />
      <p className={classes.note}>{t('com_content_preview_still')}</p>
    </div>
  );
}
