// The large view of an image.
import '@mantine/core/styles/Modal.css';
import '@mantine/core/styles/ModalBase.css';
import '@mantine/core/styles/Overlay.css';
import '@mantine/core/styles/Paper.css';
import { Modal } from '@mantine/core';
import {
  IconChevronLeft,
  IconChevronRight,
  IconDownload,
  IconX,
  IconZoomIn,
  IconZoomOut,
  IconPhotoOff,
} from '@tabler/icons-react';
import type { ImagePart } from '@parley/schema/messages/messages';
import {
  useRef,
  useState,
  type KeyboardEvent,
  useImperativeHandle,
  useLayoutEffect,
  type CSSProperties,
  type Ref,
} from 'react';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { LazyBoundary } from '../../ui/lazy/lazy-boundary.tsx';
import { pictureTools } from '../lazy-viewers.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { focusOnOpen } from '../../ui/menu/focus-on-open.ts';
import { downloadFile } from '../download-file.ts';
import classes from './lightbox.module.css';
import { imageName, imageSize } from './message-image.tsx';
import { useSwipe } from './use-swipe.ts';
import { useIsRemoved } from '../removed-files.ts';
import { cssVars } from '../../lib/css-vars.ts';

/** Percent of the size at which the whole image is seen. */
const ZOOMS = [100, 150, 200, 300, 400] as const;

interface LightboxProps {
  images: readonly ImagePart[];
  /** The image to begin with. */
  index: number;
  onClose: () => void;
  /** They are the person's own, whose chat is behind it. */
  isOwn?: boolean;
}

/** How far an arrow key moves a zoomed image, in CSS pixels. */
const PAN_PX = 80;

/**
 * An image over the whole page: arrows step to the next or move a zoomed one, as fingers do; plus and minus zoom,
 * Escape closes.
 */
export function Lightbox({ images, index: first, onClose, isOwn = false }: LightboxProps) {
  const { t } = useTranslation();
  const [index, setIndex] = useState(first);
  const [zoom, setZoom] = useState(0);
  const stage = useRef<StageHandle>(null);
  const swipes = useSwipe(zoom === 0, (direction) => go(-direction * forward()));
  const image = images[index];
  if (!image) return null;
  const name = imageName(image) ?? t('com_chat_image');

  function go(step: number): void {
    setIndex(Math.max(0, Math.min(images.length - 1, index + step)));
    setZoom(0);
  }

  function zoomBy(step: number): void {
    setZoom(Math.max(0, Math.min(ZOOMS.length - 1, zoom + step)));
  }

  function onKeyDown(event: KeyboardEvent): void {
    const pans: Record<string, () => void> = {
      ArrowRight: () => stage.current?.pan(PAN_PX, 0),
      ArrowLeft: () => stage.current?.pan(-PAN_PX, 0),
      ArrowDown: () => stage.current?.pan(0, PAN_PX),
      ArrowUp: () => stage.current?.pan(0, -PAN_PX),
    };
    const steps: Record<string, () => void> = {
      ArrowRight: () => go(forward()),
      ArrowLeft: () => go(-forward()),
      Home: () => go(-images.length),
      End: () => go(images.length),
      '+': () => zoomBy(1),
      '=': () => zoomBy(1),
      '-': () => zoomBy(-1),
      '0': () => setZoom(0),
    };
    const step = (zoom > 0 ? pans[event.key] : undefined) ?? steps[event.key];
    if (!step || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    step();
  }

  return (
    <Modal.Root
      opened
      fullScreen
      lockScroll={false}
      onClose={onClose}
      returnFocus={false}
      transitionProps={{ duration: 0 }}
    >
      <Modal.Overlay className={classes.overlay} />
      <Modal.Content ref={focusOnOpen} aria-label={name} data-testid="lightbox">
        {/* Only handles what bubbles up from its controls, and swipes. */}
        {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions */}
        <div className={classes.content} onKeyDown={onKeyDown} {...swipes}>
          <Bar
            image={image}
            position={images.length > 1 ? [index + 1, images.length] : null}
            zoom={zoom}
            onZoom={zoomBy}
            onClose={onClose}
          />
          <Stage key={image.fileId} ref={stage} image={image} zoom={zoom} />
          {image.prompt && <Prompt key={`prompt of ${image.fileId}`} text={promptOf(image, t)} />}
          {isOwn && (
            <LazyBoundary isQuiet>
              <pictureTools.Screen key={`tools of ${image.fileId}`} image={image} />
            </LazyBoundary>
          )}
          {images.length > 1 && <Arrows index={index} count={images.length} onGo={go} />}
        </div>
      </Modal.Content>
    </Modal.Root>
  );
}

/** Towards the next picture: 1 is to the right. */
function forward(): -1 | 1 {
  return document.documentElement.dir === 'rtl' ? -1 : 1;
}

interface BarProps {
  image: ImagePart;
  /** The number of the image and how many there are; null for a single one. */
  position: [number, number] | null;
  zoom: number;
  onZoom: (step: number) => void;
  onClose: () => void;
}

function Bar({ image, position, zoom, onZoom, onClose }: BarProps) {
  const { t } = useTranslation();
  const name = image.name ?? t('com_chat_image');
  return (
    <header className={classes.bar}>
      <span className={classes.name} dir="auto" data-tooltip={name} data-cut>
        {name}
      </span>
      {position && (
        <span className={classes.count} role="status">
          {t('com_files_picture_count', { 0: position[0], 1: position[1] })}
        </span>
      )}
      {/* At an end a disabled button would lose the focus, and the keys with it. */}
      <IconButton label={t('com_files_zoom_out')} aria-disabled={zoom === 0} onClick={() => onZoom(-1)}>
        <IconZoomOut aria-hidden />
      </IconButton>
      <IconButton label={t('com_files_zoom_in')} aria-disabled={zoom === ZOOMS.length - 1} onClick={() => onZoom(1)}>
        <IconZoomIn aria-hidden />
      </IconButton>
      <IconButton label={t('com_files_download')} onClick={() => void downloadFile(image, downloadName(image))}>
        <IconDownload aria-hidden />
      </IconButton>
      <IconButton label={t('com_ui_close')} data-autofocus onClick={onClose}>
        <IconX aria-hidden />
      </IconButton>
    </header>
  );
}

/** What it was made from, and what its provider made of that. */
function promptOf({ prompt = '', revisedPrompt }: ImagePart, t: TFunction): string {
  return revisedPrompt === undefined ? prompt : `${prompt}\n${t('com_pictures_revised', { 0: revisedPrompt })}`;
}

/** What an image was made from. A long one scrolls. */
function Prompt({ text }: { text: string }) {
  return (
    // A scrollable region must be reachable by keyboard.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <p className={classes.prompt} dir="auto" tabIndex={0}>
      {text}
    </p>
  );
}

function Arrows({ index, count, onGo }: { index: number; count: number; onGo: (step: number) => void }) {
  const { t } = useTranslation();
  return (
    <>
      <IconButton
        className={classes.before}
        label={t('com_files_picture_before')}
        aria-disabled={index === 0}
        onClick={() => onGo(-1)}
      >
        <IconChevronLeft aria-hidden />
      </IconButton>
      <IconButton
        className={classes.after}
        label={t('com_files_picture_after')}
        aria-disabled={index === count - 1}
        onClick={() => onGo(1)}
      >
        <IconChevronRight aria-hidden />
      </IconButton>
    </>
  );
}

/** Images are stored in the format of the server, whatever their name says. */
function downloadName(image: ImagePart): string {
  const name = imageName(image) ?? 'image';
  const extension = /\.(\w+)$/.exec(image.path)?.[1];
  if (!extension || name.toLowerCase().endsWith(`.${extension}`)) return name;
  return `${name.replace(/\.\w{3,4}$/, '')}.${extension}`;
}

interface StageHandle {
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
function Stage({ image, zoom, ref }: StageProps) {
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
