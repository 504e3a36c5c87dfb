import { growthFigures, fitGrowth, rowFigures } from '@parley/scripts/bench/soak/growth';
import type { Row } from '@parley/scripts/bench/soak/rows';
import { describe, expect, it } from 'vitest';

const QUARTER = 1 / 4;
const ROW: Row = {
  part: 1,
  hours: QUARTER,
  length: QUARTER,
  resident: 200e6,
  heap: 60e6,
  databaseMemory: 100e6,
  databaseSize: 20e6,
  connections: 12,
  sockets: 120,
  exchanges: 750,
  transactions: 9000,
  failures: 0,
  firstText: { p50: 12.3, p95: 20 },
  list: { p50: 3, p95: 6 },
};

/** Rows of a part of so many hours; `at` gives what differs after so many. */
function rowsOf(hours: number, at: (hours: number) => Partial<Row>, part = 1): Row[] {
  return Array.from({ length: hours / QUARTER }, (_, n) => {
    const until = (n + 1) * QUARTER;
    return { ...ROW, part, hours: until, ...at(until) };
  });
}

describe('the growth of a soak', () => {
  const resident = (row: Row) => row.resident;

  it('is the slope after the first hour', () => {
    const rows = rowsOf(4, (hours) => ({ resident: hours <= 1 ? 10e6 : 200e6 + hours * 3e6 }));
    expect(fitGrowth(rows, resident)?.perHour).toBeCloseTo(3e6, 0);
    expect(fitGrowth(rows, resident)?.error).toBeCloseTo(0, 0);
  });

  it('is that of all parts, whatever level each begins at', () => {
    const rows = [
      ...rowsOf(2, (hours) => ({ resident: 300e6 + hours * 2e6 })),
      ...rowsOf(2, (hours) => ({ resident: 100e6 + hours * 2e6 }), 2),
    ];
    expect(fitGrowth(rows, resident)?.perHour).toBeCloseTo(2e6, 0);
  });

  it('has the error of what lies beside the line', () => {
    // Residuals of 1, -1, -1 and 1 MB at four quarters: 2 degrees of freedom, and a spread of 5/16.
    const beside = new Map([1.25, 1.5, 1.75, 2].map((hours, n) => [hours, n === 0 || n === 3 ? 1e6 : -1e6]));
    const rows = rowsOf(2, (hours) => ({ resident: 200e6 + (beside.get(hours) ?? 0) }));
    expect(fitGrowth(rows, resident)?.perHour).toBeCloseTo(0, 0);
    expect(fitGrowth(rows, resident)?.error).toBeCloseTo(1e6 * Math.sqrt(2 / (5 / 16)), 0);
  });

  it('cannot be told of less than two hours, nor of parts that end within their first', () => {
    expect(
      fitGrowth(
        rowsOf(1.75, () => ({})),
        resident,
      ),
    ).toBeNull();
    expect(
      fitGrowth(
        rowsOf(2, () => ({})),
        resident,
      ),
    ).not.toBeNull();
    const short = [1, 2, 3, 4].flatMap((part) => rowsOf(1, () => ({}), part));
    expect(fitGrowth(short, resident)).toBeNull();
    expect(growthFigures(short).map(({ cells, target }) => [cells['growth an hour'], target])).toEqual(
      growthFigures([]).map(() => ['too short to tell', undefined]),
    );
  });

  it('is named above one percent an hour, and missed but for the size of the database', () => {
    const rows = rowsOf(3, (hours) => ({
      resident: 200e6 * (1 + 0.02 * hours),
      heap: 60e6 * (1 + 0.005 * hours),
      databaseSize: 20e6 * (1 + hours),
    }));
    const figures = growthFigures(rows);
    expect(figures.filter(({ cells }) => cells[''] === 'grows').map(({ name }) => name)).toEqual([
      'resident memory of the server, MB',
      'size of the database, MB',
    ]);
    expect(figures.filter(({ target }) => target?.met === false).map(({ name }) => name)).toEqual([
      'resident memory of the server, MB',
    ]);
  });

  it('is zero for what was never there', () => {
    expect(
      fitGrowth(
        rowsOf(2, () => ({})),
        ({ failures }) => failures,
      ),
    ).toMatchObject({ perHour: 0, percent: 0 });
  });
});

describe('the rows of a soak', () => {
  it('are told by part and time', () => {
    const [first, last] = rowFigures([ROW, { ...ROW, part: 2, hours: 1.75 }]);
    expect(first).toEqual({
      name: 'part 1, 0:15',
      cells: {
        'RSS, heap MB': '200.0, 60.0',
        'database memory, size MB': '100.0, 20.0',
        connections: '12',
        sockets: '120',
        exchanges: '750',
        'transactions each': '12.0',
        failures: '0',
        'first text p50, p95 ms': '12.3, 20.0',
        'list p50, p95 ms': '3.0, 6.0',
      },
    });
    expect(last?.name).toBe('part 2, 1:45');
  });

  it('say where nothing was measured', () => {
    const [row] = rowFigures([{ ...ROW, exchanges: 0, firstText: null, list: null }]);
    expect(row?.cells).toMatchObject({
      'transactions each': '–',
      'first text p50, p95 ms': '–',
      'list p50, p95 ms': '–',
    });
  });
});
