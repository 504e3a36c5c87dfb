import { sql } from 'drizzle-orm';
import { check, index, pgTable, text, timestamp, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { groups } from '../administration.ts';
import { ownerId, users } from '../users.ts';

/** What people let others use or change. A row goes with its owner, and with the person or the group that it names. */
export const access = pgTable(
  'access',
  {
    /** Whose it is. */
    userId: ownerId(),
    kind: text({ enum: ['folder'] }).notNull(),
    /** The id of what is shared. */
    ref: text().notNull(),
    /** Of the three, at most one of the columns below is set. */
    to: text('given_to', { enum: ['everyone', 'group', 'user'] }).notNull(),
    groupId: uuid('group_id').references(() => groups.id, { onDelete: 'cascade' }),
    personId: uuid('person_id').references(() => users.id, { onDelete: 'cascade' }),
    /** A person who may change it uses it as well. */
    level: text({ enum: ['use', 'edit'] }).notNull(),
    createdAt: timestamp('created_at', { withTimezone: true, mode: 'string' }).notNull().defaultNow(),
  },
  (table) => [
    uniqueIndex('access_once').on(
      table.userId,
      table.kind,
      table.ref,
      table.to,
      sql`coalesce(${table.groupId}, ${table.personId}, ${table.userId})`,
    ),
    index('access_person').on(table.personId, table.kind),
    index('access_group').on(table.groupId, table.kind),
    index('access_everyone')
      .on(table.kind)
      .where(sql`${table.to} = 'everyone'`),
    check(
      'access_names_one',
      sql`(${table.to} = 'group') = (${table.groupId} is not null) and (${table.to} = 'user') = (${table.personId} is not null)`,
    ),
  ],
);
