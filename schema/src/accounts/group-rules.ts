// Groups of people, as administrators see them.

export const GROUP_NAME_MAX = 80;
/** On one server. */
export const GROUPS_MAX = 200;

export interface GroupRow {
  id: string;
  name: string;
  version: number;
  /** How many people are in it. */
  members: number;
  /** How many budgets are its own. */
  budgets: number;
  /** The endpoints with models that are for this group. */
  endpoints: string[];
}

export interface GroupMember {
  userId: string;
  name: string;
  email: string;
}

export interface MembersPage {
  members: GroupMember[];
  /** Given back as `cursor`, for the next page; null on the last one. */
  next: string | null;
}
