// All tables by their names, held against the register: this file does not compile while a table or a column of one is
// not declared in schema/src/transfer/register.
import type { Declaration } from '@parley/schema/transfer/register/places';
import { register, type Travelling, type TravellingTable } from '@parley/schema/transfer/register/register';
import { getTableColumns, is } from 'drizzle-orm';
import { PgTable, type PgColumn } from 'drizzle-orm/pg-core';
import { ownedTables } from './owned-tables.ts';
import * as administration from './tables/administration.ts';
import * as balances from './tables/balances.ts';
import * as limits from './tables/limits.ts';
import * as metadata from './tables/metadata.ts';
import * as tools from './tables/tools.ts';
import * as userKeys from './tables/user-keys.ts';
import * as users from './tables/users.ts';

/** Also what else the files of the tables export. */
const exported = {
  ...ownedTables,
  ...administration,
  ...balances,
  ...limits,
  ...metadata,
  ...tools,
  ...userKeys,
  ...users,
};

type Tables = {
  [Name in keyof typeof exported as (typeof exported)[Name] extends PgTable ? Name : never]: (typeof exported)[Name];
};

export const allTables = Object.fromEntries(
  Object.entries(exported).filter(([, value]) => is(value, PgTable)),
) as unknown as Tables;

// The name of a table or column in an error of the compiler here is the one that the register lacks, or has too many.
register satisfies { [Name in keyof Tables]: Declaration<keyof Tables[Name]['$inferSelect'] & string> };
((name) => name) satisfies (name: keyof typeof register) => keyof Tables;

/** What travels of a row. */
export type TravellingRow<Name extends TravellingTable> = Pick<
  Tables[Name]['$inferSelect'],
  Travelling<Name> & keyof Tables[Name]['$inferSelect']
>;

/** The tables that the deletion of an account empties by their owner's column, because no foreign key does. */
export function tablesDeletedByOwner(): { table: PgTable; owner: PgColumn }[] {
  return Object.entries(allTables).flatMap(([name, table]: [string, PgTable]) => {
    const declared = Object.entries<Declaration>(register).find(([known]) => known === name)?.[1];
    const { userId: owner } = getTableColumns(table);
    return owner && declared && 'account' in declared && declared.account === 'deleted' ? [{ table, owner }] : [];
  });
}
