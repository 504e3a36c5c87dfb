// Every table and every column has a place in the register, found by walking the tables themselves.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { allTables, tablesDeletedByOwner } from '@parley/db/all-tables';
import { belongings } from '@parley/schema/transfer/register/belongings';
import {
  HELD,
  KEPT,
  type Held,
  type Kept,
  travellingAlone,
  type Declaration,
} from '@parley/schema/transfer/register/places';
import { register, travelling } from '@parley/schema/transfer/register/register';
import { getTableColumns, getTableName, is } from 'drizzle-orm';
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core';
import { expect, it } from 'vitest';
import { describeRegister } from './describe-register.ts';
import sentences from '../../../web/src/locales/en-US/account.json' with { type: 'json' };

/** What follows it in docs/data.md is made from the register. */
const MARK = '<!-- the register -->\n';

const folder = join(import.meta.dirname, '../../../db/src/tables');
const tables = await walkTables();
const declared: Record<string, Declaration> = register;

async function walkTables(): Promise<Map<string, PgTable>> {
  const found = new Map<string, PgTable>();
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.ts')) continue;
    const exported: Record<string, unknown> = await import(join(folder, file));
    for (const [name, value] of Object.entries(exported)) if (is(value, PgTable)) found.set(name, value);
  }
  return found;
}

const columnsOf = (table: PgTable) => Object.keys(getTableColumns(table)).toSorted();

/** The tables that a row goes with, when the row that it references goes. */
function parentsOf(table: PgTable): PgTable[] {
  const { foreignKeys } = getTableConfig(table);
  return foreignKeys.filter(({ onDelete }) => onDelete === 'cascade').map((key) => key.reference().foreignTable);
}

function goesWithUser(table: PgTable): boolean {
  return parentsOf(table).some((parent) => getTableName(parent) === 'users' || goesWithUser(parent));
}

/** Has a column for the person whose row it is, or hangs below a table that has one. */
function isOwned(table: PgTable): boolean {
  return getTableName(table) === 'users' || 'userId' in getTableColumns(table) || goesWithUser(table);
}

it('the register declares each table of the database, and no other', () => {
  expect(tables.size).toBeGreaterThan(45);
  expect(Object.keys(register).toSorted()).toEqual([...tables.keys()].toSorted());
  expect(Object.keys(allTables).toSorted()).toEqual([...tables.keys()].toSorted());
});

it('the register declares each column of a table of which something travels, and no other', () => {
  const named = [...tables].flatMap(([name, table]) => {
    const place = declared[name];
    return place && 'columns' in place
      ? [[name, Object.keys(place.columns).toSorted(), columnsOf(table)] as const]
      : [];
  });
  expect(named.length).toBeGreaterThan(10);
  expect(named.map(([name, columns]) => [name, columns])).toEqual(named.map(([name, , columns]) => [name, columns]));
});

it('no table with an owner is declared as nobody’s', () => {
  const owned = [...tables].filter(([, table]) => isOwned(table)).map(([name]) => name);
  expect(owned.length).toBeGreaterThan(35);
  expect(owned.filter((name) => 'nobodys' in (declared[name] ?? {}))).toEqual([]);
});

it('every column that stays or is derived says why, in a sentence or by a name', () => {
  const reasons = Object.values(declared).flatMap((place) => {
    if ('nobodys' in place) return [place.nobodys];
    const places = 'whole' in place ? [place.whole] : Object.values(place.columns);
    const outlives = typeof place.account === 'object' ? [place.account.outlives] : [];
    return [
      ...outlives,
      ...places.flatMap((one) => (one.place === 'stays' ? [one.because] : [])),
      ...places.flatMap((one) => (one.place === 'derived' ? [`${one.from}.`] : [])),
    ];
  });
  expect(reasons.filter((reason) => !/^.{10,}\.$/.test(reason))).toEqual([]);
});

it('the deletion of an account reaches each table with an owner, or the register says why not', () => {
  const deleted = tablesDeletedByOwner().map(({ table }) => getTableName(table));
  const wrong = [...tables].filter(([name, table]) => {
    const place = declared[name];
    if (!place || 'nobodys' in place || name === 'users' || typeof place.account === 'object') return false;
    return place.account === 'cascades' ? !goesWithUser(table) : !deleted.includes(getTableName(table));
  });
  expect(wrong.map(([name]) => name)).toEqual([]);
});

it('each word of the page for what an export holds or leaves out is the word of a table', () => {
  const words = (key: 'held' | 'kept') =>
    Object.values(declared).flatMap((place) =>
      Object.entries(place).flatMap(([name, word]) => (name === key ? [word] : [])),
    );
  expect([...new Set(words('held'))].toSorted()).toEqual([...HELD].toSorted());
  expect([...new Set(words('kept'))].filter((word) => word !== null).toSorted()).toEqual([...KEPT].toSorted());
});

it('the page names all that an export holds, and all that it leaves out', () => {
  const held: Record<Held, string> = {
    chats: 'chats',
    folders: 'folders',
    drafts: 'drafts',
    queue: 'waiting questions',
    schedules: 'schedules',
    files: 'files',
    assistants: 'assistants',
    presets: 'presets',
    prompts: 'prompts',
    skills: 'skills',
    memories: 'what is remembered',
    settings: 'settings',
  };
  const kept: Record<Kept, string> = {
    secrets: 'passwords and keys (they stay secret)',
    sharing: 'shared links (an import makes nothing public)',
    trash: 'the trash',
    tools: 'tool servers and permissions (you grant them again)',
    usage: 'usage (each server counts its own)',
  };
  const { com_account_export_hint: holds, com_account_export_left: leaves } = sentences;
  expect(Object.values(held).filter((word) => !holds.includes(word))).toEqual([]);
  expect(Object.values(kept).filter((word) => !leaves.includes(word))).toEqual([]);
});

it('secrets never travel', () => {
  const secret = /password|hash|encrypted|token|secret|credential/i;
  const columns = Object.entries(register).flatMap(([name, place]) =>
    'columns' in place ? travelling(name as 'presets').map((column: string) => `${name}.${column}`) : [],
  );
  expect(columns.length).toBeGreaterThan(90);
  expect(
    columns.filter(
      (column) => secret.test(column) && column !== 'messages.tokenCount' && column !== 'messages.summaryTokens',
    ),
  ).toEqual([]);
});

it('the file of one preset has neither its id nor its place among others', () => {
  expect(travellingAlone(belongings.presets)).toEqual(['title', 'endpoint', 'endpointType', 'model', 'settings']);
});

/** `UPDATE_DOCS=1` writes what it finds missing. */
it('docs/data.md says of each table where its rows and columns go', () => {
  const path = join(import.meta.dirname, '../../../docs/data.md');
  const [before = '', after = ''] = readFileSync(path, 'utf8').split(MARK);
  const wanted = describeRegister(declared);
  if (process.env.UPDATE_DOCS) writeFileSync(path, `${before}${MARK}\n${wanted.join('\n\n')}\n`);
  else expect(after.trim().split('\n\n')).toEqual(wanted);
});
