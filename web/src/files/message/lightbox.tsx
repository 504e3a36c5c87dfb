// The large view of a picture.
import '@mantine/core/styles/Modal.css';
import '@mantine/core/styles/ModalBase.css';
import '@mantine/core/styles/Overlay.css';
import '@mantine/core/styles/Paper.css';
import { Modal } from '@mantine/core';
import { IconChevronLeft, IconChevronRight, IconDownload, IconX, IconZoomIn, IconZoomOut } from '@tabler/icons-react';
import type { ImagePart } from '@parley/schema/messages/messages';
import { useRef, useState, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../ui/icon-button.tsx';
import { focusOnOpen } from '../../ui/menu/focus-on-open.ts';
import { downloadFile } from '../download-file.ts';
import classes from './lightbox.module.css';
import { pictureName } from './picture.tsx';
import { useSwipe } from './use-swipe.ts';
import { Stage, type StageHandle } from './lightbox-stage.tsx';
import { ZOOMS } from './lightbox-zooms.ts';

interface LightboxProps {
  pictures: readonly ImagePart[];
  /** The picture to begin with. */
  index: number;
  onClose: () => void;
}

/** How far an arrow key moves a zoomed picture, in CSS pixels. */
const PAN_PX = 80;

/**
 * A picture over the whole page: arrows step to the next or move a zoomed one, as fingers do; plus and minus zoom,
 * Escape closes.
 */
export function Lightbox({ pictures, index: first, onClose }: LightboxProps) {
  const { t } = useTranslation();
  const [index, setIndex] = useState(first);
  const [zoom, setZoom] = useState(0);
  const stage = useRef<StageHandle>(null);
  const swipes = useSwipe(zoom === 0, (direction) => go(-direction * forward()));
  const picture = pictures[index];
  if (!picture) return null;
  const name = pictureName(picture) ?? t('com_chat_image');

  function go(step: number): void {
    setIndex(Math.max(0, Math.min(pictures.length - 1, index + step)));
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
      Home: () => go(-pictures.length),
      End: () => go(pictures.length),
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
            picture={picture}
            place={pictures.length > 1 ? [index + 1, pictures.length] : null}
            zoom={zoom}
            onZoom={zoomBy}
            onClose={onClose}
          />
          <Stage key={picture.fileId} ref={stage} picture={picture} zoom={zoom} />
          {picture.prompt && <Prompt key={`prompt of ${picture.fileId}`} text={picture.prompt} />}
          {pictures.length > 1 && <Arrows index={index} count={pictures.length} onGo={go} />}
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
  picture: ImagePart;
  /** The number of the picture and how many there are; null for a single one. */
  place: [number, number] | null;
  zoom: number;
  onZoom: (step: number) => void;
  onClose: () => void;
}

function Bar({ picture, place, zoom, onZoom, onClose }: BarProps) {
  const { t } = useTranslation();
  const name = picture.name ?? t('com_chat_image');
  return (
    <header className={classes.bar}>
      <span className={classes.name} dir="auto" data-tooltip={name} data-cut>
        {name}
      </span>
      {place && (
        <span className={classes.count} role="status">
          {t('com_files_picture_count', { 0: place[0], 1: place[1] })}
        </span>
      )}
      {/* At an end a disabled button would lose the focus, and the keys with it. */}
      <IconButton label={t('com_files_zoom_out')} aria-disabled={zoom === 0} onClick={() => onZoom(-1)}>
        <IconZoomOut aria-hidden />
      </IconButton>
      <IconButton label={t('com_files_zoom_in')} aria-disabled={zoom === ZOOMS.length - 1} onClick={() => onZoom(1)}>
        <IconZoomIn aria-hidden />
      </IconButton>
      <IconButton label={t('com_files_download')} onClick={() => void downloadFile(picture, downloadName(picture))}>
        <IconDownload aria-hidden />
      </IconButton>
      <IconButton label={t('com_ui_close')} data-autofocus onClick={onClose}>
        <IconX aria-hidden />
      </IconButton>
    </header>
  );
}

/** What a picture was made from. A long one scrolls. */
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

/** Pictures are stored in the format of the server, whatever their name says. */
function downloadName(picture: ImagePart): string {
  const name = pictureName(picture) ?? 'image';
  const extension = /\.(\w+)$/.exec(picture.path)?.[1];
  if (!extension || name.toLowerCase().endsWith(`.${extension}`)) return name;
  return `${name.replace(/\.\w{3,4}$/, '')}.${extension}`;
}
