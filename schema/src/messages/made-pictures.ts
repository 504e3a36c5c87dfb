// Pictures that were made for an answer, or are being made.
import type { PictureSize } from '../pictures/models.ts';

/** All absent for an image that was attached. */
export interface PictureFacts {
  /** What it was made from. */
  prompt?: string;
  /** What its provider made of the prompt. */
  revisedPrompt?: string;
  /** What was asked for. */
  size?: PictureSize;
  /** What it cost. */
  credits?: number;
}

/** A picture that is being made, in its place. Only of a reply that is being written: its end drops it. */
export interface PendingPicture {
  type: 'pending_picture';
  width: number;
  height: number;
  /** From 0 to 1. */
  progress: number;
  /** A small `data:` address of what there is of it. */
  preview?: string;
}

/** The parts of a reply that has ended: pictures that were not finished are none. */
export function withoutPending<Part extends { type: string }>(parts: readonly Part[]): Part[] {
  return parts.filter(({ type }) => type !== 'pending_picture');
}
