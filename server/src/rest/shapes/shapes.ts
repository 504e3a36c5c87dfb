// What the shapes of answers have in common. Presenters are typed by them and the document is made from them, so that
// neither says what the other does not.
import * as z from 'zod';

/** The fields of a schema for a type: one for each field, and no other. */
export type Fields<T> = { readonly [Key in keyof T]-?: z.ZodType<T[Key] | undefined> };

export const Text = z.string();
export const Uuid = z.string().meta({ format: 'uuid' });
export const Time = z.string().meta({ format: 'date-time' });
export const Count = z.int().min(0);

export const Told = z.object({ message: Text }).meta({ id: 'Notice' });
export const Failed = z.object({ error: Text });
export const FailedAndTold = z.object({ message: Text, error: Text });
export const FailedOrTold = FailedAndTold.partial();
/** Whatever is refused before the path is asked has a message alone. */
export const ToldMaybeFailed = FailedAndTold.partial({ error: true });

/** What clients that know a document database are told of a deletion. */
export const Deleted = z.object({ acknowledged: z.boolean(), deletedCount: Count });

/** Nothing of this kind is here. */
export const None = z.array(z.never()).max(0);
