// Tests of this room: tests/unit/schema.

// What access is, without the schema library, which browsers do not load.

/** A person who may change it uses it as well. */
export const ACCESS_LEVELS = ['use', 'edit'] as const;
export type AccessLevel = (typeof ACCESS_LEVELS)[number];

/** The most people and groups of a folder. */
export const ACCESS_MAX = 200;

/** Somebody whom a folder is shared with. */
export type AccessTo =
  | { to: 'everyone' }
  | { to: 'group'; groupId: string; name: string }
  | { to: 'user'; userId: string; name: string };

export type Access = AccessTo & { level: AccessLevel };

export interface FolderAccess {
  given: Access[];
  /** The groups that its owner may share it with. */
  groups: { id: string; name: string }[];
}

/** A folder of somebody else that this person may add to their own. */
export interface SharedFolder {
  ownerId: string;
  folderId: string;
  name: string;
  /** The name of its owner. */
  owner: string;
  level: AccessLevel;
}
