import { IconPhotoOff } from '@tabler/icons-react';
import type { ImagePart } from '@parley/schema/messages/messages';
import { useImperativeHandle, useLayoutEffect, useRef, useState, type CSSProperties, type Ref } from 'react';
import { useTranslation } from 'react-i18next';
import { useIsRemoved } from '../removed-files.ts';
import classes from './lightbox.module.css';
import { ZOOMS } from './lightbox-zooms.ts';
import { imageName, imageSize } from './message-image.tsx';
import { cssVars } from '../../lib/css-vars.ts';

export interface StageHandle {
  /** Moves what is seen of a zoomed image, in CSS pixels. */
  pan(x: number, y: number): void;
}

interface StageProps {
  image: ImagePart;
  /** An index of `ZOOMS`. */
  zoom: number;
  ref: Ref<StageHandle>;
}

/** The image of the large view. Zooming keeps what is in the middle there. */
export function Stage({ image, zoom, ref }: StageProps) {
  const { t } = useTranslation();
  const frame = useRef<HTMLDivElement>(null);
  const middle = useRef({ x: 0.5, y: 0.5 });
  const [hasFailed, setFailed] = useState(false);
  const isRemoved = useIsRemoved(image.fileId);
  const name = imageName(image) ?? t('com_chat_image');
  const { width, height } = image;
  useImperativeHandle(ref, () => ({ pan: (left, top) => frame.current?.scrollBy({ left, top }) }), []);
  useLayoutEffect(() => {
    const { current } = frame;
    const { x, y } = middle.current;
    current?.scrollTo(
      x * current.scrollWidth - current.clientWidth / 2,
      y * current.scrollHeight - current.clientHeight / 2,
    );
  }, [zoom]);

  return (
    <div
      ref={frame}
      className={classes.stage}
      data-zoomed={zoom > 0 || undefined}
      onScroll={({ currentTarget: at }) => {
        const x = (at.scrollLeft + at.clientWidth / 2) / at.scrollWidth;
        const y = (at.scrollTop + at.clientHeight / 2) / at.scrollHeight;
        middle.current = { x, y };
      }}
    >
      {hasFailed || isRemoved ? (
        <p className={classes.missing}>
          <IconPhotoOff aria-hidden />
          {t('com_files_picture_missing', { 0: name })}
        </p>
      ) : (
        <img
          className={classes.image}
          src={image.path}
          alt={image.prompt ?? name}
          width={width}
          height={height}
          style={zoom > 0 ? zoomedBy(zoom, imageSize(image)) : undefined}
          onError={() => setFailed(true)}
        />
      )}
    </div>
  );
}

/** What the stylesheet computes the size of a zoomed image from. */
function zoomedBy(zoom: number, { width, height }: { width: number; height: number }): CSSProperties {
  return cssVars({ '--zoom': (ZOOMS[zoom] ?? 100) / 100, '--width': `${width}px`, '--ratio': width / height });
}
