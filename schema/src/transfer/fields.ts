// Lenient fields for files of other products: a missing or invalid value is absent, never an error.
import * as z from 'zod';
import { cleanText } from '../clean-text.ts';
import { TITLE_MAX } from '../convos/convos.ts';

const NAME_MAX = 256;

/** What is missing or invalid is undefined, for `withoutUndefined` to leave out. */
export function maybe<Schema extends z.ZodType>(schema: Schema) {
  return schema.optional().catch(undefined);
}

/** What is missing or invalid is null. */
export function orNull<Schema extends z.ZodType>(schema: Schema) {
  return schema
    .nullish()
    .catch(null)
    .transform((value) => value ?? null);
}

/** An id of another product: it identifies things within one file and is never stored. */
export const SourceId = z.string().min(1).max(256);

export const MaybeId = SourceId.nullish().catch(null);

export const MaybeName = orNull(z.string().min(1).max(NAME_MAX).overwrite(cleanText));

export const MaybeTitle = z
  .string()
  .nullish()
  .catch(null)
  .transform(
    (title) =>
      cleanText(title ?? '')
        .trim()
        .slice(0, TITLE_MAX)
        .toWellFormed() || null,
  );

export const MaybeText = z
  .string()
  .nullish()
  .catch(null)
  .transform((text) => cleanText(text ?? ''));

export const Flag = z.boolean().nullish().catch(false).transform(Boolean);

export const Unknowns = z.array(z.unknown()).catch([]);

/** The address of a web page; null for every other address. */
export const MaybeUrl = orNull(
  z
    .string()
    .max(4_000)
    .regex(/^https?:\/\/\S+$/i),
);

/** Milliseconds since 1970 from a time as text; null if invalid. */
export const MaybeTime = z
  .string()
  .max(64)
  .nullish()
  .catch(null)
  .transform((time) => (time && Number.isFinite(Date.parse(time)) ? Date.parse(time) : null));

/** The same from a time in seconds. */
export const MaybeSeconds = z
  .number()
  .nullish()
  .catch(null)
  .transform((seconds) => (typeof seconds === 'number' ? Math.round(seconds * 1000) : null));

/** Milliseconds since 1970 from a time as text, in milliseconds, or as MongoDB writes it; null if it is none. */
export const MaybeMoment = z
  .unknown()
  .optional()
  .transform((value): number | null => {
    const { data } = Moment.safeParse(value);
    const time = typeof data === 'string' ? Date.parse(data) : data;
    return time !== undefined && Number.isFinite(time) ? time : null;
  });

const Moment = z.union([
  z.string().max(64),
  z.number(),
  z
    .object({ $date: z.union([z.string().max(64), z.number(), z.object({ $numberLong: z.string().max(20) })]) })
    .transform(({ $date }) => (typeof $date === 'object' ? Number($date.$numberLong) : $date)),
]);
