// Which versions may run on a database. A migration after those of 0.9.0 says in its first line what older processes do
// on its schema: `-- expand`, they go on; `-- contract: oldest 0.10.0`, those before that version may not run any more.
import type { MigrationMeta } from 'drizzle-orm/migrator';

/** The last version whose migrations say nothing. Its processes go on until something contracts. */
const UNMARKED = '0.9.0';

const MARK = /^-- (?:expand|contract: oldest (\d+\.\d+\.\d+))$/;

/** What the first line of a migration says, or null where it says nothing. */
export function readMark(text: string): { oldest: string } | null {
  const mark = MARK.exec(text.split(/\r?\n/, 1)[0] ?? '');
  return mark && { oldest: mark[1] ?? UNMARKED };
}

/** The oldest version that may run on a database with these migrations; null where none of them says it. */
export function findOldestVersion(migrations: MigrationMeta[]): string | null {
  return migrations
    .flatMap(({ sql: [first = ''] }) => readMark(first) ?? [])
    .reduce<string | null>((last, { oldest }) => (last === null || isOlder(last, oldest) ? oldest : last), null);
}

/** Whether a version comes before another by the rules of semantic versioning, as `0.10.0-rc.1` before `0.10.0`. */
export function isOlder(version: string, other: string): boolean {
  const [core = '', ...before] = parts(version);
  const [otherCore = '', ...otherBefore] = parts(other);
  const order = compareLists(core.split('.'), otherCore.split('.'));
  if (order !== 0) return order < 0;
  if (before.length === 0 || otherBefore.length === 0) return before.length > otherBefore.length;
  return compareLists(before, otherBefore) < 0;
}

/** The three numbers, then each identifier of a pre-release; what follows `+` does not count. */
function parts(version: string): string[] {
  const [, core = version, before] = /^([^-+]+)(?:-([^+]+))?/.exec(version) ?? [];
  return [core, ...(before?.split('.') ?? [])];
}

function compareLists(list: string[], other: string[]): number {
  const at = list.findIndex((part, index) => part !== other[index]);
  if (at < 0) return list.length - other.length;
  const [part = '', rival] = [list[at], other[at]];
  if (rival === undefined) return 1;
  const isNumber = (word: string) => /^\d+$/.test(word);
  if (isNumber(part) && isNumber(rival)) return Number(part) - Number(rival);
  if (isNumber(part) !== isNumber(rival)) return isNumber(part) ? -1 : 1;
  return part < rival ? -1 : 1;
}
