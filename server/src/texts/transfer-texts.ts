// Texts in an export of everything, with their versions.
import type { Db, Tx } from '@parley/db/client';
import { exportedColumns } from '@parley/db/travelling';
import { withUserLock } from '@parley/db/user-rows';
import type { Counts } from '@parley/schema/transfer/results';
import { and, asc, eq, getTableColumns, gt, inArray, or } from 'drizzle-orm';
import { Refusal } from '../platform/errors.ts';
import { addVersions, textIn } from './save-text.ts';
import { assertRoom, findFreeName, keptTexts, type TextKind } from './texts.ts';

type Row = Readonly<Record<string, unknown>>;

/** One may have fifty versions. */
const READ_AT_ONCE = 10;

/** Each of a person's own that is not in the trash, as `addText` adds it. `readMore` reads what else each of a page has. */
export async function* exportedTexts(
  { query }: Db,
  kind: TextKind,
  userId: string,
  readMore: (ids: string[]) => Promise<(id: string) => Row>,
): AsyncGenerator<Row> {
  const { table, versions: history } = kind;
  let after: string | undefined;
  do {
    const rows = await query
      .select({ id: table.id, row: getTableColumns(table) })
      .from(table)
      .where(and(keptTexts(kind, userId), after === undefined ? undefined : gt(table.id, after)))
      .orderBy(asc(table.id))
      .limit(READ_AT_ONCE);
    const ids = rows.map(({ id }) => id);
    const isOfThese = and(eq(history.table.userId, userId), inArray(history.ref.column, ids));
    const versions = await query.select().from(history.table).where(isOfThese).orderBy(asc(history.table.n));
    const more = await readMore(ids);
    for (const { id, row } of rows)
      yield {
        ...exportedColumns(`${kind.what}s`, row),
        versions: versions
          .filter((version) => version[history.ref.key] === id)
          .map((version) => exportedColumns(`${kind.what}Versions`, version)),
        ...more(id),
      };
    after = rows.length < READ_AT_ONCE ? undefined : ids.at(-1);
  } while (after !== undefined);
}

interface Given {
  row: { id: string; userId: string; body: string; version?: number } & Row;
  /** As it is named in the export. */
  name: string;
  /** Ids by which it may be here already. */
  knownIds: string[];
  versions: readonly Row[];
}

/**
 * Adds a text with its versions, unless it is here: by its id, also in the trash, or by name and text. A name that is
 * taken gets a number. @returns `skipped` above the limit
 */
export async function addText(
  { query }: Db,
  kind: TextKind,
  { row, name, knownIds, versions }: Given,
  addMore: (tx: Tx) => Promise<void>,
): Promise<keyof Counts> {
  const { table } = kind;
  const { id, userId, body, version = 1 } = row;
  const now = { ...versions.find(({ n }) => n === version), ...textIn(kind, row), n: version };
  try {
    return await withUserLock(query, userId, async (tx) => {
      const isSame = and(keptTexts(kind, userId), eq(kind.name.column, name), eq(table.body, body));
      const isKnown = and(eq(table.userId, userId), inArray(table.id, knownIds));
      if ((await tx.$count(table, or(isSame, isKnown))) > 0) return 'present';
      const free = await findFreeName(tx, kind, userId, { id, name });
      await tx.insert(table).values({ ...row, [kind.name.key]: free });
      await assertRoom(tx, kind, userId);
      // The present text is a version in any case.
      await addVersions(tx, kind, userId, id, [...versions.filter(isEarlier), now]);
      await addMore(tx);
      return 'imported';
    });
  } catch (error) {
    if (error instanceof Refusal) return 'skipped';
    throw error;
  }

  function isEarlier({ n, ...others }: Row): boolean {
    const isWhole = Object.values(textIn(kind, others)).every((value) => value !== undefined);
    return isWhole && typeof n === 'number' && n < version;
  }
}
