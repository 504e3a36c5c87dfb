// Tables whose names are known to the compiler, which `Object.keys` and its like lose.

/** The names of a table, in its order. The table is one that is written out: it has the names of its type and no more. */
export function typedKeys<Table extends object>(table: Table): (keyof Table & string)[] {
  return Object.keys(table) as (keyof Table & string)[];
}

export function typedEntries<Table extends object>(
  table: Table,
): { [Name in keyof Table & string]: [Name, Table[Name]] }[keyof Table & string][] {
  return typedKeys(table).map((name) => [name, table[name]]);
}

/** A value for each of these names. */
export function recordBy<Name extends string, T>(names: readonly Name[], make: (name: Name) => T): Record<Name, T> {
  return Object.fromEntries(names.map((name) => [name, make(name)])) as Record<Name, T>;
}

/** Whether a text is a name of the table. */
export function hasKey<Table extends object>(table: Table, name: string): name is keyof Table & string {
  return Object.hasOwn(table, name);
}

/** Without the fields that are undefined. */
export function withoutUndefined<Fields extends object>(fields: Fields): Given<Fields> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Given<Fields>;
}

type Given<Fields> = {
  [Name in keyof Fields as undefined extends Fields[Name] ? never : Name]: Fields[Name];
} & { [Name in keyof Fields as undefined extends Fields[Name] ? Name : never]?: Exclude<Fields[Name], undefined> };
