// @vitest-environment happy-dom
import '../../web/src/chat/thread/lazy-words.ts';
import type { Reason } from '@parley/schema/reasons';
import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { formatBalance } from '../../web/src/balance/format-balance.ts';
import { RetryButton } from '../../web/src/chat/message/retry-button.tsx';
import { clockOf, endOfWait } from '../../web/src/chat/message/retry-wait.ts';
import { startI18n } from '../../web/src/i18n.ts';
import { message } from './chat-people.ts';

const NOW = Date.parse('2024-05-01T12:00:00.000Z');
const limit = { type: 'message_limit', max: 5, windowInMinutes: 1, limiter: 'user' } as const;

beforeAll(startI18n);
beforeEach(() => void vi.useFakeTimers({ now: NOW }));
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

describe('when to ask again', () => {
  const at = (seconds: number) => new Date(NOW + seconds * 1000).toISOString();

  test('is at once, unless the reason says how long to wait', () => {
    expect(endOfWait({ reason: null, updatedAt: at(0) }, NOW)).toBeNull();
    expect(endOfWait({ reason: { type: 'concurrent', limit: 1 }, updatedAt: at(0) }, NOW)).toBeNull();
    expect(endOfWait({ reason: limit, updatedAt: at(0) }, NOW)).toBeNull();
    expect(endOfWait({ reason: { ...limit, retryAfterSeconds: 42 }, updatedAt: at(-2) }, NOW)).toBe(NOW + 40_000);
  });

  test('is never later than was said, whatever the server thinks the time is', () => {
    const reason = { type: 'provider_rate_limited', retryAfterSeconds: 7 } as const;
    expect(endOfWait({ reason, updatedAt: at(3600) }, NOW)).toBe(NOW + 7000);
  });

  test('is told in minutes and seconds', () => {
    expect([clockOf(7), clockOf(60), clockOf(3599)]).toEqual(['0:07', '1:00', '59:59']);
  });
});

describe('the button to ask again', () => {
  test('counts down and can then be pressed', () => {
    const press = vi.fn();
    show({ ...limit, retryAfterSeconds: 61 }, press);
    const button = screen.getByRole('button');
    expect([button.textContent, button.hasAttribute('disabled')]).toEqual(['Try again in 1:01', true]);
    act(() => void vi.advanceTimersByTime(59_000));
    expect(button.textContent).toBe('Try again in 0:02');
    act(() => void vi.advanceTimersByTime(2_000));
    expect([button.textContent, button.hasAttribute('disabled')]).toEqual(['Try again', false]);
    button.click();
    expect(press).toHaveBeenCalledOnce();
  });

  test('ends its wait also where the clock of the server goes before', () => {
    vi.setSystemTime(NOW - 3_600_000);
    show({ ...limit, retryAfterSeconds: 5 }, () => {});
    act(() => void vi.advanceTimersByTime(6_000));
    expect(screen.getByRole('button').textContent).toBe('Try again');
  });

  test('says from when, if that is long', () => {
    show({ ...limit, retryAfterSeconds: 40 * 3600 }, () => {});
    expect(screen.getByRole('button').textContent).toBe('Try again from May 3');
  });

  test('is there at once for all else', () => {
    show({ type: 'token_balance', balance: 0, promptTokens: 1, tokenCost: 6 }, () => {});
    expect(screen.getByRole('button').textContent).toBe('Try again');
  });
});

test.each([
  ['', '0.00'],
  ['0', '0.00'],
  ['1234567', '1234567.00'],
])('the balance %j reads %s', (told, shown) => {
  expect(formatBalance(told, 'en-US')).toBe(shown);
});

function show(reason: Reason, onRetry: () => void) {
  render(<RetryButton message={message('answer', 2, { reason })} onRetry={onRetry} />);
}
