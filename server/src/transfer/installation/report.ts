// What an import has read, written and left out.
import { recordBy } from '@parley/schema/entries';
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
  'aclentries',
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
  const all = recordBy([...COLLECTIONS, ...RARE], emptyCount);
  return { ...all, others: new Map(), fields: new Map(), joined: [], notes: [] };
}

export function emptyCount(): Count {
  return { read: 0, written: 0, present: 0, skipped: new Map() };
}

export function skip(count: Count, why: string, many = 1): void {
  if (many > 0) count.skipped.set(why, (count.skipped.get(why) ?? 0) + many);
}

/**
 * A table of the collections with a line for each reason; then the collections without a place, the accounts that were
 * joined, the fields that stay behind by reason, and what is left to do. Lines are at most `width` characters long, as far as their words are.
 */
export function describeReport(report: Report, width = Infinity): string {
  const joined = report.joined.map((email) => `- ${email}`);
  const sections = [
    describeCounts(report),
    under('Collections that have no place here:', describeOthers(report.others)),
    under('Joined with the account that was here:', joined),
    under('Fields that stay behind:', describeFields(report.fields)),
    under(
      'To do, or to know:',
      report.notes.flatMap((note) => `- ${note}`.replaceAll('\n', '\n  ').split('\n')),
    ),
  ];
  return sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.flatMap((line) => wrap(line, width)).join('\n'))
    .join('\n\n');
}

function under(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [title, ...lines];
}

const COLUMNS = ['read', 'new', 'here', 'skipped'];

function describeCounts(report: Report): string[] {
  const rare = RARE.filter((name) => report[name].read > 0);
  const rows = [...COLLECTIONS, ...rare].map((name) => {
    const { read, written, present, skipped } = report[name];
    return {
      cells: [name, ...[read, written, present, sum(skipped)].map(String)],
      reasons: [...skipped].map(([why, many]) => `  ${many} skipped: ${why}`),
    };
  });
  const all = [['', ...COLUMNS], ...rows.map(({ cells }) => cells)];
  const widths = ['', ...COLUMNS].map((_, at) => Math.max(...all.map((cells) => cells[at]?.length ?? 0)));
  const lineOf = ([name = '', ...numbers]: string[]) =>
    [name.padEnd(widths[0] ?? 0), ...numbers.map((number, at) => number.padStart(widths[at + 1] ?? 0))].join('  ');
  return [
    'Documents that were read, are new here, were here before, and were skipped:',
    lineOf(['', ...COLUMNS]),
    ...rows.flatMap(({ cells, reasons }) => [lineOf(cells), ...reasons]),
  ];
}

function describeOthers(others: Report['others']): string[] {
  return [...others].flatMap(([name, { skipped }]) => [...skipped].map(([why, many]) => `- ${name} (${many}): ${why}`));
}

function describeFields(fields: FieldNotes): string[] {
  const reasons = new Map<string, Map<string, string[]>>();
  for (const [name, { many, why }] of [...fields].toSorted(([a], [b]) => a.localeCompare(b))) {
    const [collection = '', ...field] = name.split('.');
    const collections = reasons.get(why) ?? new Map<string, string[]>();
    reasons.set(why, collections);
    collections.set(collection, [...(collections.get(collection) ?? []), `${field.join('.')} (${many})`]);
  }
  return [...reasons].flatMap(([why, collections]) => [
    `- ${why}:`,
    ...[...collections].map(([collection, names]) => `    ${collection}: ${names.join(', ')}`),
  ]);
}

/** Breaks a line between words; what follows stands two characters further to the right than its beginning. */
function wrap(line: string, width: number): string[] {
  if (line.length <= width) return [line];
  const [margin = ''] = /^ */.exec(line) ?? [];
  const lines: string[] = [];
  let current = margin;
  for (const word of line.trim().split(' ')) {
    const isEmpty = current.trim() === '';
    if (!isEmpty && current.length + 1 + word.length > width) {
      lines.push(current);
      current = `${margin}  ${word}`;
    } else current += isEmpty ? word : ` ${word}`;
  }
  return [...lines, current];
}

/** How far the long part is, in one line. */
export function describeProgress({ conversations, messages }: Report): string {
  const done = messages.written + messages.present + sum(messages.skipped);
  return `${conversations.read} conversations and ${done} of ${messages.read} messages`;
}

function sum(skipped: Map<string, number>): number {
  return [...skipped.values()].reduce((all, many) => all + many, 0);
}
