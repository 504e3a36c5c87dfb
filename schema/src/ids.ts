import * as z from 'zod';

/** An id made by a client or by us: a UUID in canonical lower case. */
export const Id = z.uuid().toLowerCase();
export type Id = string;
