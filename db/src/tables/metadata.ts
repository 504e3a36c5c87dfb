import { pgTable, text } from 'drizzle-orm/pg-core';

/** Values that all processes on this database must share, such as the fingerprint of the secrets. */
export const metadata = pgTable('facts', {
  name: text().primaryKey(),
  value: text().notNull(),
});
