import * as z from 'zod';

/** The password; of an account without one, its e-mail address. */
export const DeleteAccount = z.strictObject({ confirmation: z.string().min(1).max(128) });
export type DeleteAccount = z.infer<typeof DeleteAccount>;
