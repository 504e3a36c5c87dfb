import { afterEach, describe, expect, it, vi } from 'vitest';
import { ownTimeZone, ruleOf, whenOf, type Rule, type When } from '../../../../web/src/schedules/when.ts';

const BERLIN = 'Europe/Berlin';
const NOW = new Date('2026-01-10T23:30:00Z');

describe('the choices of the form', () => {
  it.each<[Partial<When>, string]>([
    [{ kind: 'daily', time: '07:05' }, '5 7 * * *'],
    [{ kind: 'weekdays', time: '00:00' }, '0 0 * * 1-5'],
    [{ kind: 'weekly', time: '23:59', weekday: '0' }, '59 23 * * 0'],
    [{ kind: 'monthly', time: '09:30', day: '31' }, '30 9 31 * *'],
    [{ kind: 'cron', cron: '0 7,19 * * *' }, '0 7,19 * * *'],
  ])('%o are a rule, and the rule is shown as these choices again', (chosen, cron) => {
    const rule = ruleOf({ ...whenOf(NONE, BERLIN, NOW), ...chosen }, BERLIN);
    expect(rule).toEqual({ cron, at: null });
    expect(whenOf(rule ?? NONE, BERLIN, NOW)).toMatchObject(chosen);
  });

  it.each([
    ['in winter', '2026-01-20', '07:00', '2026-01-20T06:00:00.000Z'],
    ['in summer', '2026-07-20', '07:00', '2026-07-20T05:00:00.000Z'],
    ['before the clock goes forward', '2026-03-29', '01:30', '2026-03-29T00:30:00.000Z'],
    ['after it', '2026-03-29', '03:30', '2026-03-29T01:30:00.000Z'],
    ['after the clock has gone back', '2026-10-25', '03:30', '2026-10-25T02:30:00.000Z'],
  ])('one time is that of the zone, %s', (_, date, time, at) => {
    const when: When = { ...whenOf(NONE, BERLIN, NOW), kind: 'once', date, time };
    expect(ruleOf(when, BERLIN)).toEqual({ cron: null, at });
    expect(whenOf({ cron: null, at }, BERLIN, NOW)).toMatchObject({ kind: 'once', date, time });
  });

  it('are no rule while a field is empty', () => {
    const when = whenOf(NONE, BERLIN, NOW);
    for (const over of [
      { kind: 'daily', time: '' },
      { kind: 'once', date: '' },
      { kind: 'cron', cron: ' ' },
    ] as const)
      expect(ruleOf({ ...when, ...over }, BERLIN)).toBeNull();
  });

  it.each(['0 7 1 * 1', '*/30 7 * * *', '0 7 * 6 *', '0 7 L * *'])('show %s as it is', (cron) => {
    expect(whenOf({ cron, at: null }, BERLIN, NOW)).toMatchObject({ kind: 'cron', cron });
  });

  it('begin with the next day of the zone', () => {
    expect(whenOf(NONE, BERLIN, NOW).date).toBe('2026-01-12');
    expect(whenOf(NONE, 'UTC', NOW).date).toBe('2026-01-11');
  });
});

describe('the zone of the browser', () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });

  it.each([
    ['Europe/Berlin', 'Europe/Berlin'],
    ['Etc/Unknown', 'UTC'],
  ])('%s is taken as %s', (timeZone, taken) => {
    const options = new Intl.DateTimeFormat().resolvedOptions();
    vi.spyOn(Intl.DateTimeFormat.prototype, 'resolvedOptions').mockReturnValue({ ...options, timeZone });
    expect(ownTimeZone()).toBe(taken);
    expect(() => new Intl.DateTimeFormat('en', { timeZone: taken })).not.toThrow();
  });
});

const NONE: Rule = { cron: '', at: null };
