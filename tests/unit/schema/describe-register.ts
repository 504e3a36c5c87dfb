// The register as paragraphs of docs/data.md.
import type { Declaration, Place } from '@parley/schema/transfer/register/places';

/** A paragraph for each table, in the order of the register. */
export function describeRegister(declared: Record<string, Declaration>): string[] {
  return Object.entries(declared).map(([name, place]) => `**${name}**: ${describe(place).join(' ')}`);
}

function describe(place: Declaration): string[] {
  if ('nobodys' in place) return [place.nobodys];
  const fate = typeof place.account === 'object' ? [`When the account is deleted: ${place.account.outlives}`] : [];
  if ('whole' in place)
    return [
      place.whole.place === 'stays' ? `Stays. ${place.whole.because}` : `Derived from ${place.whole.from}.`,
      ...fate,
    ];
  const columns: [string, Place][] = Object.entries(place.columns);
  const travels = columns.flatMap(([column, one]) => (one.place === 'travels' ? [column] : []));
  const whys = new Map<string, string[]>();
  for (const [column, one] of columns) {
    if (one.place === 'travels') continue;
    const why = one.place === 'stays' ? `stay. ${one.because}` : `are derived from ${one.from}.`;
    whys.set(why, [...(whys.get(why) ?? []), column]);
  }
  return [
    ...(place.rows ? [place.rows] : []),
    `Travel: ${named(travels)}.`,
    ...[...whys].map(([why, names]) => `${named(names)} ${names.length > 1 ? why : singular(why)}`),
    ...fate,
  ];
}

function singular(why: string): string {
  return why.replace(/^stay\./, 'stays.').replace(/^are /, 'is ');
}

function named(columns: readonly string[]): string {
  return columns.map((column) => `\`${column}\``).join(', ');
}
