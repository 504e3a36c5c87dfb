// What prompts and skills have in common: texts of a person, each with a name of its own and with earlier versions.
import type { Db, Tx } from '@parley/db/client';
import { skills, skillVersions } from '@parley/db/tables/automation/skills';
import { prompts, promptVersions } from '@parley/db/tables/prompts';
import { PROMPT_COMMAND_MAX, PROMPT_VERSIONS_MAX, PROMPTS_MAX } from '@parley/schema/prompts/prompt-rules';
import { SKILL_NAME_MAX, SKILL_VERSIONS_MAX, SKILLS_MAX } from '@parley/schema/skills/skill-rules';
import { and, eq, isNull, ne } from 'drizzle-orm';
import type { AnyPgColumn, PgTable } from 'drizzle-orm/pg-core';
import { refuse } from '../platform/errors.ts';
import { isoTime } from '../platform/iso-time.ts';

type Text = AnyPgColumn<{ data: string; notNull: true }>;
type TextTable = PgTable &
  Record<'userId' | 'id' | 'body', Text> &
  Record<'isShared' | 'deletedAt', AnyPgColumn> & {
    version: AnyPgColumn<{ data: number; notNull: true }>;
    deletionId: AnyPgColumn<{ data: string }>;
  };

export interface TextKind {
  what: 'prompt' | 'skill';
  table: TextTable;
  /** Outside of the trash, no other text of the person has the same. */
  name: { key: string; column: Text };
  /** Why a name is refused that another text has. */
  taken: (name: string) => string;
  /** What the trash calls it. */
  label: Text;
  max: number;
  versions: {
    table: PgTable & Record<'userId' | 'n', AnyPgColumn>;
    /** The id of the text. */
    ref: { key: string; column: AnyPgColumn };
    /** Columns of the text: a save that changes one of them makes a version. */
    of: Readonly<Record<string, AnyPgColumn>>;
    /** The newest are kept. */
    max: number;
  };
}

export const PROMPTS: TextKind = {
  what: 'prompt',
  table: prompts,
  name: { key: 'command', column: prompts.command },
  taken: (command) => `You have a prompt with the command /${command} already`,
  label: prompts.title,
  max: PROMPTS_MAX,
  versions: {
    table: promptVersions,
    ref: { key: 'promptId', column: promptVersions.promptId },
    of: { title: prompts.title, body: prompts.body },
    max: PROMPT_VERSIONS_MAX,
  },
};

export const SKILLS: TextKind = {
  what: 'skill',
  table: skills,
  name: { key: 'name', column: skills.name },
  taken: (name) => `You have a skill with the name ${name} already`,
  label: skills.name,
  max: SKILLS_MAX,
  versions: {
    table: skillVersions,
    ref: { key: 'skillId', column: skillVersions.skillId },
    of: { name: skills.name, description: skills.description, body: skills.body },
    max: SKILL_VERSIONS_MAX,
  },
};

/** Those that are not in the trash. */
export function keptTexts({ table }: TextKind, userId: string) {
  return and(eq(table.userId, userId), isNull(table.deletedAt));
}

/** One that is not in the trash. */
export function keptText(kind: TextKind, userId: string, id: string) {
  return and(keptTexts(kind, userId), eq(kind.table.id, id));
}

export function isVersionOfText({ versions: { table, ref } }: TextKind, userId: string, id: string) {
  return and(eq(table.userId, userId), eq(ref.column, id));
}

/** As lists show it: without the name of its owner for the owner. */
export function presentHead<Row extends { ownerId: string; ownerName: string; updatedAt: string }>(
  row: Row,
  userId: string,
) {
  const ownerName = row.ownerId === userId ? null : row.ownerName;
  return { ...row, ownerName, updatedAt: isoTime(row.updatedAt) };
}

/** Shows it to everybody on this server, or to nobody else. @throws Refusal `not_found` */
export async function shareText(
  { query }: Db,
  kind: TextKind,
  userId: string,
  { id, isShared }: { id: string; isShared: boolean },
): Promise<void> {
  const { table, what } = kind;
  const isIt = keptText(kind, userId, id);
  const changed = await query.update(table).set({ isShared }).where(isIt).returning({ id: table.id });
  if (changed.length === 0) refuse({ type: 'not_found', what });
}

/** @throws Refusal `conflict` when there are too many */
export async function assertRoom(tx: Tx, kind: TextKind, userId: string): Promise<void> {
  const { table, max, what } = kind;
  if ((await tx.$count(table, keptTexts(kind, userId))) > max)
    refuse({ type: 'conflict', text: `There is room for ${max} ${what}s. Please delete some first.` });
}

/** The wanted one, or the first number of it that no other text of the person has. */
export async function findFreeName(
  tx: Tx,
  kind: TextKind,
  userId: string,
  { id, name }: { id: string; name: string },
): Promise<string> {
  const others = and(keptTexts(kind, userId), ne(kind.table.id, id));
  const rows = await tx.select({ name: kind.name.column }).from(kind.table).where(others);
  return freeName(name, new Set(rows.map((row) => row.name)));
}

/** No name of any kind is longer. */
const NAME_MAX = Math.min(PROMPT_COMMAND_MAX, SKILL_NAME_MAX);

/** The wanted one, or the first number of it that is free. */
export function freeName(wanted: string, taken: ReadonlySet<string>): string {
  if (!taken.has(wanted)) return wanted;
  for (let n = 2; ; n++) {
    const end = `-${n}`;
    const name = `${wanted.slice(0, NAME_MAX - end.length)}${end}`;
    if (!taken.has(name)) return name;
  }
}
