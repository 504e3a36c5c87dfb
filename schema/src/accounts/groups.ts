// What administrators ask of groups.
import * as z from 'zod';
import { cleanText } from '../clean-text.ts';
import { Id } from '../ids.ts';
import { GROUP_NAME_MAX } from './group-rules.ts';
import { Email } from './users.ts';

const GroupName = z
  .string()
  .overwrite(cleanText)
  .trim()
  .min(1, 'A group needs a name')
  .max(GROUP_NAME_MAX, `The name may have ${GROUP_NAME_MAX} characters`);

/** The version is the one that was read. */
export const GroupRef = z.strictObject({ id: Id, version: z.int().positive() });

export const CreateGroup = z.strictObject({ name: GroupName });

export const RenameGroup = GroupRef.extend({ name: GroupName });

/** Not strict: an endless list of the browser sends its direction, too. */
export const ListMembers = z.object({
  groupId: Id,
  /** `next` of the page before. */
  cursor: z.string().overwrite(cleanText).max(200).nullish(),
});

/** A person by the account, or by its address. */
export const AddMember = z.union([
  z.strictObject({ groupId: Id, userId: Id }),
  z.strictObject({ groupId: Id, email: Email }),
]);
export type AddMember = z.output<typeof AddMember>;

export const MemberRef = z.strictObject({ groupId: Id, userId: Id });
export type MemberRef = z.output<typeof MemberRef>;
