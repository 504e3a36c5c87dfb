// An ask whose answer is pictures.
import * as z from 'zod';
import { PICTURE_QUALITIES, PICTURE_SIZES, PICTURES_MAX, SOURCES_MAX, type PictureOptions } from './models.ts';
import { Id } from '../ids.ts';

export const PictureInput = z.strictObject({
  n: z.int().min(1).max(PICTURES_MAX).default(1),
  size: z.enum(PICTURE_SIZES).default('square'),
  quality: z.enum(PICTURE_QUALITIES).default('draft'),
  /**
   * Pictures to change. Absent: those attached to the question, else the last of the chat; for another answer those of
   * the one before, with its mask. Empty: none.
   */
  from: z.array(Id).max(SOURCES_MAX).optional(),
  /** A picture in the shape of the first of them: only where it is transparent is that one changed. */
  maskFileId: Id.optional(),
});
export type PictureInput = z.output<typeof PictureInput>;

/** What pictures were asked for, as the record of their reply tells it. */
export interface PictureRecord extends PictureOptions {
  /** Files that they were made from. */
  from: string[];
  maskFileId?: string;
}
