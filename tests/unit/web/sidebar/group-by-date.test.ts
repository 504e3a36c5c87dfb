import type { Convo } from '@parley/schema/convos/convos';
import { FRESH_CONVO } from '@parley/schema/convos/fresh-convo';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { groupByDate } from '../../../../web/src/app/sidebar/items/group-by-date.ts';

const zone = process.env.TZ;
beforeAll(() => {
  process.env.TZ = 'Europe/Berlin';
});
afterAll(() => {
  // An undefined value would become the name of a zone that does not exist, for the files after this one.
  if (zone === undefined) delete process.env.TZ;
  else process.env.TZ = zone;
});

/**
 * Convos named after the local times they were last used at, as in `groups('2024-05-31 12:00', ['2024-05-30 23:59'])`.
 */
function groups(now: string, used: string[], locale = 'en-US'): [string, string[]][] {
  const convos = used.map((at) => convo(at, new Date(at).toISOString()));
  return groupByDate(convos, new Date(now), locale).map((group) => [
    group.name ?? group.id,
    group.convos.map((one) => one.conversationId),
  ]);
}

function convo(conversationId: string, updatedAt: string): Convo {
  return {
    ...FRESH_CONVO,
    conversationId,
    endpoint: 'openAI',
    endpointType: 'openAI',
    model: null,
    settings: {},
    createdAt: updatedAt,
    updatedAt,
  };
}

describe('the sidebar groups', () => {
  test('follow calendar days, not elapsed hours', () => {
    expect(
      groups('2024-05-31 00:10', [
        '2024-05-31 00:05',
        '2024-05-30 23:59',
        '2024-05-30 00:00',
        '2024-05-29 23:59',
        '2024-05-24 00:00',
        '2024-05-23 23:59',
        '2024-05-01 00:00',
        '2024-04-30 23:59',
        '2024-01-01 00:00',
        '2023-12-31 23:59',
        '2021-06-01 12:00',
      ]),
    ).toEqual([
      ['today', ['2024-05-31 00:05']],
      ['yesterday', ['2024-05-30 23:59', '2024-05-30 00:00']],
      ['previous_7_days', ['2024-05-29 23:59', '2024-05-24 00:00']],
      ['previous_30_days', ['2024-05-23 23:59', '2024-05-01 00:00']],
      ['April', ['2024-04-30 23:59']],
      ['January', ['2024-01-01 00:00']],
      ['2023', ['2023-12-31 23:59']],
      ['2021', ['2021-06-01 12:00']],
    ]);
  });

  test('are correct when clocks change', () => {
    expect(groups('2024-04-01 00:30', ['2024-03-31 00:30', '2024-03-30 23:30', '2024-03-25 00:00'])).toEqual([
      ['yesterday', ['2024-03-31 00:30']],
      ['previous_7_days', ['2024-03-30 23:30', '2024-03-25 00:00']],
    ]);
    expect(groups('2024-10-28 23:30', ['2024-10-28 00:00', '2024-10-27 00:00', '2024-10-26 23:59'])).toEqual([
      ['today', ['2024-10-28 00:00']],
      ['yesterday', ['2024-10-27 00:00']],
      ['previous_7_days', ['2024-10-26 23:59']],
    ]);
  });

  test('cross the year: days first, then the year, without months of another year', () => {
    expect(
      groups('2025-01-01 09:00', ['2024-12-31 23:00', '2024-12-27 10:00', '2024-12-05 10:00', '2024-11-20 10:00']),
    ).toEqual([
      ['yesterday', ['2024-12-31 23:00']],
      ['previous_7_days', ['2024-12-27 10:00']],
      ['previous_30_days', ['2024-12-05 10:00']],
      ['2024', ['2024-11-20 10:00']],
    ]);
  });

  test('treat a future date as today', () => {
    expect(groups('2024-05-31 12:00', ['2024-06-02 12:00', '2024-05-31 11:00'])).toEqual([
      ['today', ['2024-06-02 12:00', '2024-05-31 11:00']],
    ]);
  });

  test('handle an invalid date', () => {
    const [group] = groupByDate([convo('broken', 'not a date')], new Date('2024-05-31 12:00'), 'en-US');
    expect(group?.id).toBe('today');
  });

  test('name months in the language of the reader', () => {
    expect(groups('2024-12-31 12:00', ['2024-03-31 12:00'], 'de-DE')[0]?.[0]).toBe('März');
    expect(groups('2024-12-31 12:00', ['2024-03-31 12:00'], 'ja-JP')[0]?.[0]).toBe('3月');
  });

  test('are empty without convos', () => {
    expect(groups('2024-05-31 12:00', [])).toEqual([]);
  });
});
