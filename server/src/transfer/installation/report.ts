// What an import has read, written and left out.

export interface Count {
  read: number;
  written: number;
  /** Already there from an earlier run. */
  present: number;
  skipped: Map<string, number>;
}

export type Collection = 'users' | 'conversations' | 'messages' | 'presets' | 'balances' | 'transactions' | 'files';
export type Report = Record<Collection, Count>;

export function emptyReport(): Report {
  const count = (): Count => ({ read: 0, written: 0, present: 0, skipped: new Map() });
  return {
    users: count(),
    conversations: count(),
    messages: count(),
    presets: count(),
    balances: count(),
    transactions: count(),
    files: count(),
  };
}

export function skip(count: Count, why: string, many = 1): void {
  if (many > 0) count.skipped.set(why, (count.skipped.get(why) ?? 0) + many);
}

/** One line for each collection, and one for each reason. */
export function describeReport(report: Report): string {
  const lines = Object.entries(report).flatMap(([name, { read, written, present, skipped }]) => [
    `${name}: ${read} read, ${written} written, ${present} already there, ${sum(skipped)} skipped`,
    ...[...skipped].map(([why, many]) => `  ${many} skipped: ${why}`),
  ]);
  return lines.join('\n');
}

function sum(skipped: Map<string, number>): number {
  return [...skipped.values()].reduce((all, many) => all + many, 0);
}
