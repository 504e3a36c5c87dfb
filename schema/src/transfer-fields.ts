// Fields of files that others wrote: what is missing or of another kind is absent, and never a reason to give up.
import * as z from 'zod';
import { cleanText } from './clean-text.ts';
import { TITLE_MAX } from './convos.ts';

const NAME_MAX = 256;

/** An id as some product made it: it names things within one file and is never stored. */
export const SourceId = z.string().min(1).max(256);

export const MaybeId = SourceId.nullish().catch(null);

export const MaybeName = z
  .string()
  .min(1)
  .max(NAME_MAX)
  .overwrite(cleanText)
  .nullish()
  .catch(null)
  .transform((name) => name ?? null);

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

/** Milliseconds since 1970 of a time written as text; null for what is none. */
export const MaybeTime = z
  .string()
  .max(64)
  .nullish()
  .catch(null)
  .transform((time) => (time && Number.isFinite(Date.parse(time)) ? Date.parse(time) : null));

/** The same of a time counted in seconds. */
export const MaybeSeconds = z
  .number()
  .nullish()
  .catch(null)
  .transform((seconds) => (typeof seconds === 'number' ? Math.round(seconds * 1000) : null));
