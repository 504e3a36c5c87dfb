/** What stops a process of an older version on the new schema, as far as a statement itself tells. */
const BREAKING = [
  /\bdrop (?:table|column|view|materialized view|index|function|type|schema|sequence|default|expression|identity)\b/,
  /\bdrop constraint (?:if exists )?\w+_(?:pk|pkey|unique|key)\b/,
  /\balter (?:table|index|type|view|sequence) .*\brename\b/,
  // A program that reads `integer` is not ready for the text that the driver makes of `bigint`.
  /\balter column \w+ (?:set data )?type (?!text\b)/,
  /\btruncate\b/,
];

/** The statements of a migration that break processes of older versions, in lower case and without quotes. */
export function breaking(text: string): string[] {
  const statements = plain(text).split(/;|--> statement-breakpoint/);
  const made = new Set(namesAfter(/\bcreate table (?:if not exists )?(\w+)/g, statements));
  const added = new Set(namesAfter(/\badd column (?:if not exists )?(\w+)/g, statements));
  const filled = new Set(namesAfter(/\balter column (\w+) set default\b/g, statements));
  return statements
    .map((statement) => statement.trim())
    .filter((statement) => {
      const [, , unique] = /\bcreate (unique )?index\b.*? on (\w+)/.exec(statement) ?? [];
      const [, constrained = '', rule] = /\balter table (?:only )?(\w+) add constraint \w+ (.*)/.exec(statement) ?? [];
      const [, required] = /\balter column (\w+) set not null\b/.exec(statement) ?? [];
      return (
        BREAKING.some((pattern) => pattern.test(statement)) ||
        (/\bcreate unique index\b/.test(statement) && unique !== undefined && !made.has(unique)) ||
        // Older processes write none of the new columns.
        (rule !== undefined && !made.has(constrained) && !(rule.match(/\w+/g) ?? []).some((word) => added.has(word))) ||
        (required !== undefined && !filled.has(required)) ||
        statement.split(/,\s*(?=add column)/).some(isRequired)
      );
    });
}

function isRequired(clause: string): boolean {
  return /\badd column\b/.test(clause) && /\bnot null\b/.test(clause) && !/\bdefault\b|\bgenerated\b/.test(clause);
}

function namesAfter(pattern: RegExp, statements: string[]): string[] {
  return statements.flatMap((statement) => [...statement.matchAll(pattern)].map(([, name = '']) => name));
}

/** In lower case and on one line a statement, without comments, bodies of functions, texts and quotes of names. */
function plain(text: string): string {
  return text
    .replaceAll(/(\$\w*\$).*?\1/gs, "''")
    .replaceAll(/'(?:[^']|'')*'/g, "''")
    .replaceAll(/--(?!>).*$/gm, '')
    .replaceAll('"public".', '')
    .replaceAll('"', '')
    .replaceAll(/\s+/g, ' ')
    .toLowerCase();
}
