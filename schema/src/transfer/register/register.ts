// The register: a declaration for every table of the database. db/src/all-tables.ts does not compile while a table or a
// column is missing here, and tests/unit/schema/register.test.ts walks the tables as well.
import { account } from './account.ts';
import { belongings } from './belongings.ts';
import { chats } from './chats.ts';
import type { Declaration, Place, Travels } from './places.ts';

const installation = 'It belongs to the installation; a backup has it.';

export const register = {
  ...chats,
  ...belongings,
  ...account,
  serverSettings: { nobodys: installation },
  providerSettings: { nobodys: installation },
  toolSettings: { nobodys: installation },
  groups: { nobodys: installation },
  modelAccess: { nobodys: installation },
  usageTotals: { nobodys: installation },
  networkBans: { nobodys: installation },
  limits: { nobodys: 'It counts attempts, and is empty soon.' },
  metadata: { nobodys: installation },
} as const satisfies Record<string, Declaration>;

export type Register = typeof register;

/** Tables of which something travels. */
export type TravellingTable = {
  [Name in keyof Register]: Register[Name] extends { columns: object } ? Name : never;
}[keyof Register];

type Columns<Name extends TravellingTable> = Register[Name]['columns'];

/** The columns of a table that travel. */
export type Travelling<Name extends TravellingTable> = {
  [Column in keyof Columns<Name>]: Columns<Name>[Column] extends Travels ? Column : never;
}[keyof Columns<Name>] &
  string;

/** The names of the columns that travel, in the order of the register. */
export function travelling<Name extends TravellingTable>(name: Name): Travelling<Name>[] {
  const places: [string, Place][] = Object.entries(register[name].columns);
  // The names are those that the type lists.
  return places.flatMap(([column, { place }]) => (place === 'travels' ? [column] : [])) as Travelling<Name>[];
}
