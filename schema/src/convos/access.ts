// Inputs of access to folders of somebody else: who may use them, and who may change them.
import * as z from 'zod';
import { cleanText } from '../clean-text.ts';
import { Id } from '../ids.ts';
import { ACCESS_LEVELS } from './access-rules.ts';

/** An e-mail address or user name, as a whole: people are not listed. */
const Login = z.string().overwrite(cleanText).trim().min(1).max(320);

const To = z.discriminatedUnion('to', [
  z.strictObject({ to: z.literal('everyone') }),
  z.strictObject({ to: z.literal('group'), groupId: Id }),
  z.strictObject({ to: z.literal('user'), userId: Id }),
  z.strictObject({ to: z.literal('login'), login: Login }),
]);

/** Null takes it away. */
export const SetAccess = z.strictObject({ id: Id, to: To, level: z.enum(ACCESS_LEVELS).nullable() });
export type SetAccess = z.infer<typeof SetAccess>;

/** `id` is that of the person's own folder, made by the client. Adding it again changes nothing. */
export const AddShared = z.strictObject({ id: Id, ownerId: Id, folderId: Id });
export type AddShared = z.infer<typeof AddShared>;
