import { useRef, type KeyboardEvent, type PointerEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { focusIfLost } from '../../lib/focus-if-lost.ts';
import classes from './avatar-setting.module.css';
import { movedBy, type CropPosition } from './crop-square.ts';

interface CropAreaProps {
  url: string;
  zoom: number;
  at: CropPosition;
  onMove: (at: CropPosition) => void;
}

/** How far an arrow key moves the image, in sides of the square. */
const STEP = 0.05;
const STEPS: Readonly<Record<string, CropPosition>> = {
  ArrowLeft: { x: -STEP, y: 0 },
  ArrowRight: { x: STEP, y: 0 },
  ArrowUp: { x: 0, y: -STEP },
  ArrowDown: { x: 0, y: STEP },
};

/** The part of an image that becomes the profile image. The pointer or the arrow keys move the image below it. */
export function CropArea({ url, zoom, at, onMove }: CropAreaProps) {
  const { t } = useTranslation();
  const image = useRef<HTMLImageElement>(null);
  const moving = useRef<CropPosition | null>(null);
  const position = `${at.x * 100}% ${at.y * 100}%`;

  function move(by: CropPosition): void {
    if (!image.current) return;
    const { naturalWidth: width, naturalHeight: height } = image.current;
    onMove(movedBy({ width, height }, zoom, at, by));
  }

  function onPointerDown(event: PointerEvent<HTMLElement>): void {
    event.currentTarget.setPointerCapture(event.pointerId);
    moving.current = { x: event.clientX, y: event.clientY };
  }

  function onPointerMove({ currentTarget, clientX, clientY }: PointerEvent<HTMLElement>): void {
    const from = moving.current;
    if (!from) return;
    const side = currentTarget.clientWidth;
    moving.current = { x: clientX, y: clientY };
    move({ x: (clientX - from.x) / side, y: (clientY - from.y) / side });
  }

  function onKeyDown(event: KeyboardEvent): void {
    const step = STEPS[event.key];
    if (!step || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    move(step);
  }

  return (
    // It takes the focus so that the arrow keys can move the image.
    // oxlint-disable jsx-a11y/no-noninteractive-tabindex, jsx-a11y/no-noninteractive-element-interactions
    <span
      ref={focusIfLost}
      className={classes.preview}
      role="group"
      tabIndex={0}
      aria-label={t('com_avatar_move')}
      data-tooltip={t('com_avatar_move')}
      data-testid="crop-area"
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={() => (moving.current = null)}
      onPointerCancel={() => (moving.current = null)}
      onKeyDown={onKeyDown}
    >
      <img
        ref={image}
        src={url}
        alt={t('com_avatar_preview')}
        draggable={false}
        style={{ objectPosition: position, transformOrigin: position, transform: `scale(${zoom})` }}
      />
    </span>
    // oxlint-enable jsx-a11y/no-noninteractive-tabindex, jsx-a11y/no-noninteractive-element-interactions
  );
}
