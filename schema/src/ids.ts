import * as z from 'zod';

/** Why an id is refused. */
export const INVALID_ID = 'The id is not a UUID';
/** An id made by a client or by us: a UUID in canonical lower case. */
export const Id = z.uuid(INVALID_ID).toLowerCase();
export type Id = string;
