import { pgTable, text } from 'drizzle-orm/pg-core';

/** What every process on this database must agree on, such as the fingerprint of the secrets. */
export const facts = pgTable('facts', {
  name: text().primaryKey(),
  value: text().notNull(),
});
