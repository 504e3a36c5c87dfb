// What an import has read, written and left out.
import type { FieldNotes } from './field-census.ts';

export interface Count {
  read: number;
  written: number;
  /** Already there from an earlier run. */
  present: number;
  skipped: Map<string, number>;
}

/** Always told. */
const COLLECTIONS = ['users', 'conversations', 'messages', 'presets', 'balances', 'transactions', 'files'] as const;
/** Told where the export has any. */
const RARE = [
  'avatars',
  'assistants',
  'agents',
  'actions',
  'prompts',
  'promptgroups',
  'conversationtags',
  'keys',
  'pluginauths',
] as const;

export type Collection = (typeof COLLECTIONS)[number] | (typeof RARE)[number];
export interface Report extends Record<Collection, Count> {
  /** Collections of the folder that have no place here, by their names. */
  others: Map<string, Count>;
  /** Fields that stay behind. */
  fields: FieldNotes;
  /** Addresses of accounts here that are now people of the installation, too. */
  joined: string[];
  /** Sentences for the operator: what is left to do. */
  notes: string[];
}

export function emptyReport(): Report {
  const counts = [...COLLECTIONS, ...RARE].map((name) => [name, emptyCount()] as const);
  const all = Object.fromEntries(counts) as Record<Collection, Count>;
  return { ...all, others: new Map(), fields: new Map(), joined: [], notes: [] };
}

export function emptyCount(): Count {
  return { read: 0, written: 0, present: 0, skipped: new Map() };
}

export function skip(count: Count, why: string, many = 1): void {
  if (many > 0) count.skipped.set(why, (count.skipped.get(why) ?? 0) + many);
}

/**
 * One line for each collection, and one for each reason; then the accounts that were joined, the fields that stay behind,
 * and what is left to do.
 */
export function describeReport(report: Report): string {
  const rare = RARE.filter((name) => report[name].read > 0);
  const counts = [
    ...[...COLLECTIONS, ...rare].map((name) => [name, report[name]] as const),
    ...[...report.others].filter(([, { read }]) => read > 0),
  ];
  const lines = counts.flatMap(([name, { read, written, present, skipped }]) => [
    `${name}: ${read} read, ${written} written, ${present} already there, ${sum(skipped)} skipped`,
    ...[...skipped].map(([why, many]) => `  ${many} skipped: ${why}`),
  ]);
  const joined = report.joined.map((email) => `joined with the account that was here: ${email}`);
  const fields = [...report.fields]
    .toSorted(([a], [b]) => a.localeCompare(b))
    .map(([name, { many, why }]) => `stays behind: ${name} (${many}): ${why}`);
  return [...lines, ...joined, ...fields, ...report.notes].join('\n');
}

/** How far the long part is, in one line. */
export function describeProgress({ conversations, messages }: Report): string {
  const done = messages.written + messages.present + sum(messages.skipped);
  return `${conversations.read} conversations and ${done} of ${messages.read} messages`;
}

function sum(skipped: Map<string, number>): number {
  return [...skipped.values()].reduce((all, many) => all + many, 0);
}
