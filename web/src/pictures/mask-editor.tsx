import type { ImagePart } from '@parley/schema/messages/messages';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { uploadFile } from '../files/upload/upload-file.ts';
import { cssVars } from '../lib/css-vars.ts';
import { newId } from '../lib/new-id.ts';
import { Button } from '../ui/button.tsx';
import { showToast } from '../ui/toast/toast.ts';
import { drawMask } from './draw-mask.ts';
import classes from './pictures.module.css';
import { useDrawing, type Box } from './use-drawing.ts';
import { useFrame } from './use-frame.ts';

interface MaskEditorProps {
  image: ImagePart;
  endpoint: string;
  onCancel: () => void;
  /** Without a mark the whole picture may change. */
  onDone: (maskFileId?: string) => void;
}

/** Marks the place that may change: by brush, or with the keyboard by a frame. */
export function MaskEditor({ image, endpoint, onCancel, onDone }: MaskEditorProps) {
  const { t } = useTranslation();
  const paper = useRef<HTMLButtonElement>(null);
  const { canvas, isMarked, pointer, fill, clear } = useDrawing();
  const { frame, onKeyDown, hide } = useFrame(fill);
  const { isBusy, upload } = useUploadMask(endpoint, onDone);
  useEffect(() => paper.current?.focus(), []);
  const { width, height } = image;

  function startAnew(): void {
    clear();
    hide();
    paper.current?.focus();
  }

  return (
    <div className={classes.editor} role="group" aria-label={t('com_pictures_mark')}>
      <div className={classes.stage}>
        <button
          ref={paper}
          type="button"
          className={classes.paper}
          style={cssVars({ '--ratio': width / height })}
          aria-label={t('com_pictures_mark_keys')}
          data-testid="mask-canvas"
          onKeyDown={onKeyDown}
          {...pointer}
        >
          <img src={image.path} alt="" draggable={false} />
          <canvas ref={canvas} width={width} height={height} />
          {frame && <span className={classes.frame} style={percentOf(frame)} data-testid="mask-frame" />}
        </button>
      </div>
      <div className={classes.tools}>
        <p className={classes.hint}>{t('com_pictures_mark_hint')}</p>
        <Button onClick={onCancel}>{t('com_ui_cancel')}</Button>
        <Button onClick={startAnew} disabled={!isMarked && !frame}>
          {t('com_pictures_clear')}
        </Button>
        <Button variant="filled" onClick={() => (isMarked ? void upload(canvas.current) : onDone())} disabled={isBusy}>
          {isMarked ? t('com_pictures_use_mark') : t('com_pictures_use_whole')}
        </Button>
      </div>
    </div>
  );
}

/** Keeps what is drawn as a file. */
function useUploadMask(endpoint: string, onDone: (maskFileId: string) => void) {
  const { t } = useTranslation();
  const [isBusy, setBusy] = useState(false);
  const leaving = useRef<AbortController>(null);
  useEffect(() => () => leaving.current?.abort(), []);

  async function upload(canvas: HTMLCanvasElement | null): Promise<void> {
    if (!canvas) return;
    setBusy(true);
    const { signal } = (leaving.current = new AbortController());
    try {
      const file = await drawMask(canvas);
      const { width, height } = canvas;
      const asked = { id: newId(), file, mime: file.type, endpoint, size: { width, height } };
      const { fileId } = await uploadFile(asked, { onProgress: () => {}, signal });
      onDone(fileId);
    } catch {
      setBusy(false);
      if (!signal.aborted) showToast({ message: t('com_pictures_mask_failed'), severity: 'error' });
    }
  }

  return { isBusy, upload };
}

function percentOf({ x, y, width, height }: Box) {
  return { left: `${x * 100}%`, top: `${y * 100}%`, width: `${width * 100}%`, height: `${height * 100}%` };
}
