import { boolean, jsonb, pgTable, primaryKey, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import type { McpAuth, McpTool } from '@parley/schema/tools/mcp-servers';
import type { Reason } from '@parley/schema/reasons';
import { ownerId } from './users.ts';

/** Tokens of services that a person signed in to. */
export const connections = pgTable(
  'connections',
  {
    userId: ownerId(),
    /** `action:<id>` or `mcp:<server>`. */
    service: text().notNull(),
    /** Encrypted for the service and its host. */
    /** The column has its first name until a later release drops it. */
    encrypted: text('sealed').notNull(),
    expiresAt: timestamp('expires_at', { withTimezone: true, mode: 'string' }),
    updatedAt: timestamp('updated_at', { withTimezone: true, mode: 'string' }).notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.service] })],
);

/** What plugins need to sign in, per person and field. */
export const pluginKeys = pgTable(
  'plugin_keys',
  {
    userId: ownerId(),
    /** Such as SERPAPI_API_KEY; plugins that name the same field share it. */
    field: text().notNull(),
    /** Encrypted for `plugin:<field>`. */
    /** The column has its first name until a later release drops it. */
    encrypted: text('sealed').notNull(),
    updatedAt: timestamp('updated_at', { withTimezone: true, mode: 'string' }).notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.field] })],
);

/** MCP servers that users added. Those of the operator are in the configuration. */
export const mcpServers = pgTable(
  'mcp_servers',
  {
    userId: ownerId(),
    id: uuid().notNull(),
    name: text().notNull(),
    url: text().notNull(),
    auth: text().$type<McpAuth>().notNull(),
    /** The header with its value, encrypted for `mcp:<id>:<host>`. */
    /** The column has its first name until a later release drops it. */
    encrypted: text('sealed'),
    isEnabled: boolean('is_enabled').notNull().default(true),
    createdAt: timestamp('created_at', { withTimezone: true, mode: 'string' }).notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.id] })],
);

/** What a server offers, as it was last seen by this person, for servers of either kind. */
export const mcpTools = pgTable(
  'mcp_tools',
  {
    userId: ownerId(),
    /** The id of a row of `mcp_servers`, or the operator's name of the server. */
    server: text().notNull(),
    tools: jsonb().$type<McpTool[]>().notNull(),
    /** Names of tools that this person switched off. */
    off: jsonb().$type<string[]>().notNull().default([]),
    /** Why it could not be reached last time. */
    reason: jsonb().$type<Reason>(),
    checkedAt: timestamp('checked_at', { withTimezone: true, mode: 'string' }).notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.server] })],
);

/** Tools that a person always allows. */
export const toolGrants = pgTable(
  'tool_grants',
  {
    userId: ownerId(),
    /** `<source>:<id>:<name>`. */
    tool: text().notNull(),
    /** SHA-256 of description and parameters: a tool that changes asks again. */
    fingerprint: text().notNull(),
    createdAt: timestamp('created_at', { withTimezone: true, mode: 'string' }).notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.tool] })],
);
