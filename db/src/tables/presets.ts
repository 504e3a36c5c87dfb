import { sql } from 'drizzle-orm';
import { boolean, integer, jsonb, pgTable, primaryKey, text, timestamp, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import type { EndpointType } from '@parley/schema/catalog/endpoints';
import type { PresetSettings } from '@parley/schema/settings/presets';
import { ownerId } from './users.ts';

/** Saved endpoints, models and settings. */
export const presets = pgTable(
  'presets',
  {
    userId: ownerId(),
    id: uuid().notNull(),
    title: text().notNull(),
    endpoint: text(),
    endpointType: text('endpoint_type').$type<EndpointType>(),
    model: text(),
    settings: jsonb().$type<PresetSettings>().notNull().default({}),
    /** The preset that new chats start with. */
    isDefault: boolean('is_default').notNull().default(false),
    /** Its position in the menu; presets without one come last, newest first. */
    order: integer(),
    createdAt: timestamp('created_at', { withTimezone: true, mode: 'string' }).notNull().defaultNow(),
    updatedAt: timestamp('updated_at', { withTimezone: true, mode: 'string' }).notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.id] }),
    uniqueIndex('presets_default')
      .on(table.userId)
      .where(sql`${table.isDefault}`),
  ],
);
