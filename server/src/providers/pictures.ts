// How a provider is asked for a picture. A protocol that has a call for it is one function, beside its provider.
import type { PictureModel, PictureQuality, PictureSize } from '@parley/schema/pictures/models';
import type { ProviderTarget } from './provider.ts';

/** A picture to begin with, or a mask. */
export interface SourcePicture {
  bytes: Uint8Array;
  mime: string;
}

export interface PictureCall {
  target: ProviderTarget;
  model: string;
  /** What the model can do. */
  can: PictureModel;
  prompt: string;
  size: PictureSize;
  quality: PictureQuality;
  sources: readonly SourcePicture[];
  /** A PNG of the size of the first source, transparent where that one may change. */
  mask: SourcePicture | null;
  /** Sent to providers that watch for abuse. */
  userId: string;
}

export type PictureDelta =
  /** What there is of the picture before it is finished. */
  | { type: 'partial'; bytes: Uint8Array; progress: number }
  | { type: 'picture'; from: { bytes: Uint8Array } | { url: string }; revisedPrompt?: string };

/**
 * Asks for one picture.
 * @throws Refusal with the provider's reason
 */
export type PictureProvider = (call: PictureCall, signal: AbortSignal) => AsyncIterable<PictureDelta>;

/** Of one picture, in bytes. */
export const PICTURE_BYTES_MAX = 20 * 1024 * 1024;
/** The same in base64, with what else an answer has. */
export const PICTURE_ANSWER_MAX = Math.ceil((PICTURE_BYTES_MAX * 4) / 3) + 1024 * 1024;
