// The words of the register: where each column of each table goes when a person takes along what they own. Plain data,
// so that the database checks its tables against it, the server moves rows by it, and the page tells people what it says.

// What an export holds and what it leaves out, as people call it. Each word is in the register at least once.

/** In the order in which the page lists them. */
export const HELD = [
  'chats',
  'folders',
  'drafts',
  'queue',
  'schedules',
  'files',
  'assistants',
  'presets',
  'prompts',
  'skills',
  'memories',
  'settings',
] as const;

/** Each has a sentence on the page that gives the reason. */
export const KEPT = ['secrets', 'sharing', 'trash', 'tools', 'usage'] as const;

/** A column that an export holds, and that a restore, an undo and an import bring back. */
export interface Travels {
  place: 'travels';
  /** What its value names. Those ids differ in another account, so a restore replaces them. */
  names?: readonly Named[];
  /** It is about the row's place among its owner's others, so the file of a single item leaves it out. */
  isOfList?: true;
}

/** A column that is made anew from something else. */
export interface Derived {
  place: 'derived';
  from: string;
}

/** A column that stays on the server where it is; `because` is a sentence. */
export interface Stays {
  place: 'stays';
  because: string;
}

export type Place = Travels | Derived | Stays;

/** Tables whose rows other columns name. `itself`: the id of the row. */
type Named =
  | 'itself'
  | 'assistants'
  | 'convos'
  | 'files'
  | 'fileSets'
  | 'folders'
  | 'messages'
  | 'presets'
  | 'prompts'
  | 'skills';

/**
 * What becomes of the rows when their owner's account is deleted: the database deletes them with the row that they
 * reference; the server deletes them by the owner's id; or they outlive it, for a reason.
 */
export type AfterAccount = 'cascades' | 'deleted' | Outlives;

export interface Outlives {
  outlives: string;
}

/** A table whose rows travel, at least in part. `C` are the names of its columns. */
interface TravellingTable<C extends string> {
  /** What people call it in the list of what an export holds. */
  held: Held;
  account: AfterAccount;
  /** Which rows are exported, where not all are. */
  rows?: string;
  columns: Record<C, Place>;
}

/** A table whose rows stay or are derived as a whole, and with them each column that it will ever have. */
interface StayingTable {
  /** What people call it in the list of what an export leaves out; null for what no person would miss. */
  kept: Kept | null;
  account: AfterAccount;
  whole: Derived | Stays;
}

/** A table of the installation. Its rows belong to no person. */
interface OwnerlessTable {
  nobodys: string;
}

export type Declaration<C extends string = string> = TravellingTable<C> | StayingTable | OwnerlessTable;

export const travels = { place: 'travels' } as const satisfies Travels;

/** Travels, but not in the file of a single item. */
export const travelsInList = { place: 'travels', isOfList: true } as const satisfies Travels;

/** The row's own id, which another account may replace. */
export const ownId = { place: 'travels', names: ['itself'], isOfList: true } as const satisfies Travels;

export function travelsNaming<const N extends readonly Named[]>(...names: N) {
  return { place: 'travels', names } as const;
}

export function derived<const From extends string>(from: From) {
  return { place: 'derived', from } as const;
}

export function stays<const Because extends string>(because: Because) {
  return { place: 'stays', because } as const;
}

/** The id of the owner, which no archive can choose. */
export const owner = derived('the account that imports');

/** The columns that the file of a single item has. */
export type TravellingAlone<C> = {
  [Name in keyof C]: C[Name] extends { isOfList: true } ? never : C[Name] extends { place: 'travels' } ? Name : never;
}[keyof C] &
  string;

/** The names of the columns that the file of a single item of a table has, in the order of the register. */
export function travellingAlone<C extends Record<string, Place>>({ columns }: { columns: C }): TravellingAlone<C>[] {
  const isAlone = (place: Place) => place.place === 'travels' && !place.isOfList;
  // The names are those that the type lists.
  return Object.entries(columns).flatMap(([name, place]) => (isAlone(place) ? [name] : [])) as TravellingAlone<C>[];
}

export type Held = (typeof HELD)[number];

export type Kept = (typeof KEPT)[number];
