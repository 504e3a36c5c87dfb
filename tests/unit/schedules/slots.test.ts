import { assertRule, dueSlots, nextSlot, nextSlots } from '@parley/server/schedules/slots';
import { describe, expect, it } from 'vitest';

const BERLIN = 'Europe/Berlin';
const NOW = new Date('2026-01-10T12:00:00Z');

describe('the times of a rule', () => {
  it('02:30 on the day when the clock goes forward is 03:00, and the days after it are as before', () => {
    expect(slotsOf('30 2 * * *', '2026-03-27T12:00:00Z', 3)).toEqual([
      '2026-03-28T01:30:00.000Z',
      '2026-03-29T01:00:00.000Z',
      '2026-03-30T00:30:00.000Z',
    ]);
  });

  it('02:30 on the day when the clock goes back comes once', () => {
    expect(slotsOf('30 2 * * *', '2026-10-24T12:00:00Z', 2)).toEqual([
      '2026-10-25T00:30:00.000Z',
      '2026-10-26T01:30:00.000Z',
    ]);
  });

  it('the 31st skips short months', () => {
    expect(slotsOf('0 9 31 * *', '2026-01-01T00:00:00Z', 3)).toEqual([
      '2026-01-31T08:00:00.000Z',
      '2026-03-31T07:00:00.000Z',
      '2026-05-31T07:00:00.000Z',
    ]);
  });

  it('one time comes once, and only after the present', () => {
    const once = { at: '2026-02-01T08:00:00Z', timeZone: BERLIN };
    expect(nextSlots(once, NOW, 3)).toEqual([new Date(once.at)]);
    expect(nextSlot(once, new Date(once.at))).toBeNull();
  });
});

describe('a rule is refused', () => {
  it.each([
    ['with seconds', '0 0 9 * * *', /five fields/],
    ['by a nickname', '@daily', /five fields/],
    ['with four fields', '0 9 * *', /five fields/],
    ['that cannot be read', '99 9 * * *', /cannot be read/],
    ['that comes each minute', '* * * * *', /15 minutes apart/],
    ['whose hours are close together', '0,50 * * * *', /15 minutes apart/],
    ['whose days are close together', '0,50 0,23 * * 1,2', /15 minutes apart/],
    ['that never comes', '0 9 30 2 *', /never comes true/],
  ])('%s', (_, cron, why) => {
    expect(whyNot({ cron, timeZone: BERLIN })).toMatch(why);
  });

  it('without a time, with two, with a time that has passed, and in a zone that does not exist', () => {
    const at = '2026-02-01T08:00:00Z';
    expect(whyNot({ timeZone: BERLIN })).toMatch(/rule or a time/);
    expect(whyNot({ cron: '0 9 * * *', at, timeZone: BERLIN })).toMatch(/not both/);
    expect(whyNot({ at: '2026-01-10T12:00:00Z', timeZone: BERLIN })).toMatch(/has passed/);
    expect(whyNot({ at, timeZone: 'Europe/Nowhere' })).toMatch(/no such time zone/);
  });

  it.each(['*/15 * * * *', '0 7 * * 1-5', '0 9 29 2 *', '30 8 1 JAN,JUL *', '0 9 L * *'])('but not %s', (cron) => {
    // Also on the night when the clock is changed.
    for (const now of [NOW, new Date('2026-03-28T23:00:00Z'), new Date('2026-10-24T22:00:00Z')])
      expect(whyNot({ cron, timeZone: BERLIN }, now)).toBeNull();
  });
});

describe('what is due', () => {
  const daily = { cron: '0 7 * * *', timeZone: 'UTC' };

  it('follows from the slot and not from the present: a late server asks the same slots', () => {
    const first = new Date('2026-01-10T07:00:00Z');
    for (const late of ['07:00:00', '07:00:09', '23:59:59'])
      expect(dueSlots(daily, first, new Date(`2026-01-10T${late}Z`))).toEqual({
        asked: first,
        missed: [],
        next: new Date('2026-01-11T07:00:00Z'),
      });
  });

  it('is the newest slot where it is at most a day late; the others are missed', () => {
    const { asked, missed, next } = dueSlots(daily, new Date('2026-01-07T07:00:00Z'), NOW);
    expect(asked).toEqual(new Date('2026-01-10T07:00:00Z'));
    expect(missed).toEqual(['07', '08', '09'].map((day) => new Date(`2026-01-${day}T07:00:00Z`)));
    expect(next).toEqual(new Date('2026-01-11T07:00:00Z'));
  });

  it('is nothing where the newest is more than a day late', () => {
    const monthly = { cron: '0 7 1 * *', timeZone: 'UTC' };
    const { asked, missed, next } = dueSlots(monthly, new Date('2026-01-01T07:00:00Z'), NOW);
    expect([asked, missed, next]).toEqual([null, [new Date('2026-01-01T07:00:00Z')], new Date('2026-02-01T07:00:00Z')]);
  });

  it('stays small after a year without a server', () => {
    const often = { cron: '*/15 * * * *', timeZone: 'UTC' };
    const { asked, missed, next } = dueSlots(often, new Date('2025-01-10T07:00:00Z'), NOW);
    expect(asked).toEqual(NOW);
    expect(missed).toHaveLength(50);
    expect(next).toEqual(new Date('2026-01-10T12:15:00Z'));
  });
});

function slotsOf(cron: string, after: string, count: number): string[] {
  return nextSlots({ cron, timeZone: BERLIN }, new Date(after), count).map((slot) => slot.toISOString());
}

function whyNot(rule: Parameters<typeof assertRule>[0], now = NOW): string | null {
  try {
    assertRule(rule, now);
    return null;
  } catch (error) {
    return JSON.stringify((error as { reason: unknown }).reason);
  }
}
