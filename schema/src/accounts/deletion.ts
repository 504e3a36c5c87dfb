import * as z from 'zod';

/** The e-mail address of the account, so that nobody deletes it by a slip. */
export const DeleteAccount = z.strictObject({ confirmation: z.string().min(1).max(128) });
export type DeleteAccount = z.infer<typeof DeleteAccount>;
