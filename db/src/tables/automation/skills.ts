import { sql } from 'drizzle-orm';
import {
  boolean,
  foreignKey,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { files } from '../files.ts';
import { ownerId } from '../users.ts';

/** Instructions that a model reads when it needs them. */
export const skills = pgTable(
  'skills',
  {
    userId: ownerId(),
    id: uuid().notNull(),
    /** Also the name of its folder in the code interpreter. */
    name: text().notNull(),
    description: text().notNull(),
    /** The instructions: `SKILL.md` without its head. */
    body: text().notNull(),
    /** Everybody on this server can use it. */
    isShared: boolean('is_shared').notNull().default(false),
    /** It came from a file: it is not its owner's own word, whatever they change of it. */
    isImported: boolean('is_imported').notNull().default(false),
    /** The number of the version with this name, description and text. */
    version: integer().notNull().default(1),
    createdAt: timestamp('created_at', { withTimezone: true, mode: 'string' }).notNull().defaultNow(),
    updatedAt: timestamp('updated_at', { withTimezone: true, mode: 'string' }).notNull().defaultNow(),
    /** In the trash since then. */
    deletedAt: timestamp('deleted_at', { withTimezone: true, mode: 'string' }),
    /** The entry of the trash that brings it back. */
    deletionId: uuid('deletion_id'),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.id] }),
    uniqueIndex('skills_name')
      .on(table.userId, table.name)
      .where(sql`${table.deletedAt} is null`),
    index('skills_shared')
      .on(table.name)
      .where(sql`${table.isShared} and ${table.deletedAt} is null`),
  ],
);

/** The files beside `SKILL.md`. */
export const skillFiles = pgTable(
  'skill_files',
  {
    userId: uuid('user_id').notNull(),
    skillId: uuid('skill_id').notNull(),
    /** With `/` between folders. */
    path: text().notNull(),
    fileId: uuid('file_id').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.skillId, table.path] }),
    foreignKey({ columns: [table.userId, table.skillId], foreignColumns: [skills.userId, skills.id] }).onDelete(
      'cascade',
    ),
    foreignKey({ columns: [table.userId, table.fileId], foreignColumns: [files.userId, files.id] }).onDelete('cascade'),
    index('skill_files_file').on(table.userId, table.fileId),
  ],
);

/** Names, descriptions and instructions that a skill had, and has. */
export const skillVersions = pgTable(
  'skill_versions',
  {
    userId: uuid('user_id').notNull(),
    skillId: uuid('skill_id').notNull(),
    n: integer().notNull(),
    name: text().notNull(),
    description: text().notNull(),
    body: text().notNull(),
    createdAt: timestamp('created_at', { withTimezone: true, mode: 'string' }).notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.skillId, table.n] }),
    foreignKey({ columns: [table.userId, table.skillId], foreignColumns: [skills.userId, skills.id] }).onDelete(
      'cascade',
    ),
  ],
);
