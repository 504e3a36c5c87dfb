// Whether something grows: a straight line through the rows of a soak after the first hour of each part.
import { atMost, type Figure } from '../figures.ts';
import type { Row } from './rows.ts';

/** In which a process fills its caches and pools. */
const WARM_HOURS = 1;
/** After the warm ones: less than this tells nothing. */
const TELLING_HOURS = 1;
/** Of the mean, in an hour. */
const PERCENT_MAX = 1;
/** Sums of lengths such as a sixtieth. */
const ROUNDING = 1e-6;

export interface Growth {
  mean: number;
  perHour: number;
  /** The standard error of `perHour`. */
  error: number;
  /** Of the mean, in an hour. */
  percent: number;
}

interface Measure {
  name: string;
  of(row: Row): number | null;
  format(value: number): string;
  /** It grows with what people write: no fault. */
  mayGrow?: boolean;
}

const MEASURES: Measure[] = [
  { name: 'resident memory of the server, MB', of: ({ resident }) => resident, format: megabytes },
  { name: 'its heap in use, at least, MB', of: ({ heap }) => heap, format: megabytes },
  { name: 'memory of the database, MB', of: ({ databaseMemory }) => databaseMemory, format: megabytes },
  { name: 'size of the database, MB', of: ({ databaseSize }) => databaseSize, format: megabytes, mayGrow: true },
  { name: 'connections of the database', of: ({ connections }) => connections, format: whole },
  { name: 'sockets', of: ({ sockets }) => sockets, format: whole },
  { name: 'transactions an exchange', of: transactionsEach, format: tenths },
  { name: 'first text, p50, ms', of: ({ firstText }) => firstText?.p50 ?? null, format: tenths },
  { name: 'first text, p95, ms', of: ({ firstText }) => firstText?.p95 ?? null, format: tenths },
  { name: 'list of chats, p50, ms', of: ({ list }) => list?.p50 ?? null, format: tenths },
  { name: 'list of chats, p95, ms', of: ({ list }) => list?.p95 ?? null, format: tenths },
];

/** The rows as a table of what they measured. */
export function rowFigures(rows: readonly Row[]): Figure[] {
  return rows.map((row) => ({
    name: `part ${row.part}, ${clock(row.hours)}`,
    cells: {
      'RSS, heap MB': `${megabytes(row.resident)}, ${megabytes(row.heap)}`,
      'database memory, size MB': `${megabytes(row.databaseMemory)}, ${megabytes(row.databaseSize)}`,
      connections: whole(row.connections),
      sockets: whole(row.sockets),
      exchanges: String(row.exchanges),
      'transactions each': formatMaybe(transactionsEach(row), tenths),
      failures: String(row.failures),
      'first text p50, p95 ms': latency(row.firstText),
      'list p50, p95 ms': latency(row.list),
    },
  }));
}

/** How much each measure grows in an hour, with a target for what has no reason to. */
export function growthFigures(rows: readonly Row[]): Figure[] {
  return MEASURES.map(({ name, of, format, mayGrow }) => {
    const growth = fitGrowth(rows, of);
    if (!growth) return { name, cells: { 'growth an hour': 'too short to tell' } };
    const { mean, perHour, error, percent } = growth;
    return {
      name,
      cells: {
        mean: format(mean),
        'growth an hour': `${percent.toFixed(2)} %`,
        'the same': `${format(perHour)} ± ${format(error)}`,
        '': percent > PERCENT_MAX ? 'grows' : '',
      },
      ...(!mayGrow && { target: atMost(percent, PERCENT_MAX, ' %') }),
    };
  });
}

/**
 * The slope that all parts have in common, each with a level of its own, since each has a new process. Null while what
 * follows their first hours is too short to tell.
 */
export function fitGrowth(rows: readonly Row[], of: Measure['of']): Growth | null {
  const points = rows
    .filter(({ hours, length }) => hours - length >= WARM_HOURS - ROUNDING)
    .flatMap((row) => {
      const { part, hours, length } = row;
      const value = of(row);
      return value === null ? [] : [{ part, hours, length, value }];
    });
  if (sum(points.map(({ length }) => length)) < TELLING_HOURS - ROUNDING) return null;
  const parts = [...new Set(points.map(({ part }) => part))];
  const centred = parts.flatMap((one) => {
    const own = points.filter(({ part }) => part === one);
    const [hours, value] = [meanOf(own.map((point) => point.hours)), meanOf(own.map((point) => point.value))];
    return own.map((point) => ({ x: point.hours - hours, y: point.value - value }));
  });
  const spread = sum(centred.map(({ x }) => x * x));
  const perHour = sum(centred.map(({ x, y }) => x * y)) / spread;
  const left = sum(centred.map(({ x, y }) => (y - perHour * x) ** 2));
  const error = Math.sqrt(left / Math.max(1, points.length - parts.length - 1) / spread);
  const mean = meanOf(points.map(({ value }) => value));
  return { mean, perHour, error, percent: mean === 0 ? 0 : (100 * perHour) / mean };
}

function transactionsEach({ transactions, exchanges }: Row): number | null {
  return exchanges === 0 ? null : transactions / exchanges;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, one) => all + one, 0);
}

function meanOf(numbers: readonly number[]): number {
  return sum(numbers) / numbers.length;
}

/** Hours and minutes. */
function clock(hours: number): string {
  const minutes = Math.round(hours * 60);
  return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}`;
}

function latency(value: Row['list']): string {
  return value ? `${tenths(value.p50)}, ${tenths(value.p95)}` : '–';
}

function formatMaybe(value: number | null, format: (value: number) => string): string {
  return value === null ? '–' : format(value);
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1);
}

function tenths(value: number): string {
  return value.toFixed(1);
}

function whole(value: number): string {
  return value.toFixed(0);
}
