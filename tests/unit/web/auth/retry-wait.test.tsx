// @vitest-environment happy-dom
import { MantineProvider } from '@mantine/core';
import type { Reason } from '@parley/schema/reasons';
import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { formatCredits } from '../../../../web/src/lib/format-number.ts';
import { RetryButton } from '../../../../web/src/chat/message-actions/retry-button.tsx';
import { formatCountdown, retryTime } from '../../../../web/src/chat/message-actions/retry-wait.ts';
import { startEnglish } from '../start-english.ts';
import { message } from '../chat/people.ts';

const NOW = Date.parse('2024-05-01T12:00:00.000Z');
const limit = { type: 'message_limit', max: 5, windowInMinutes: 1, limiter: 'user' } as const;

beforeAll(startEnglish);
beforeEach(() => void vi.useFakeTimers({ now: NOW }));
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

describe('the time to retry', () => {
  const at = (seconds: number) => new Date(NOW + seconds * 1000).toISOString();

  test('is now, unless the reason has a wait', () => {
    expect(retryTime({ reason: null, updatedAt: at(0) }, NOW)).toBeNull();
    expect(retryTime({ reason: { type: 'concurrent', limit: 1 }, updatedAt: at(0) }, NOW)).toBeNull();
    expect(retryTime({ reason: limit, updatedAt: at(0) }, NOW)).toBeNull();
    expect(retryTime({ reason: { ...limit, retryAfterSeconds: 42 }, updatedAt: at(-2) }, NOW)).toBe(NOW + 40_000);
  });

  test('is never later than the wait, whatever the clock of the server shows', () => {
    const reason = { type: 'provider_rate_limited', retryAfterSeconds: 7 } as const;
    expect(retryTime({ reason, updatedAt: at(3600) }, NOW)).toBe(NOW + 7000);
  });

  test('is shown in minutes and seconds', () => {
    const shown = (locale: string) => [7, 60, 3599].map((seconds) => formatCountdown(seconds, locale));
    expect(shown('en-US')).toEqual(['0:07', '1:00', '59:59']);
    expect(shown('ar-EG')).toEqual(['٠:٠٧', '١:٠٠', '٥٩:٥٩']);
  });
});

describe('the retry button', () => {
  test('counts down and is enabled at zero', () => {
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

  test('is enabled even when the clock of the server is ahead', () => {
    vi.setSystemTime(NOW - 3_600_000);
    show({ ...limit, retryAfterSeconds: 5 }, () => {});
    act(() => void vi.advanceTimersByTime(6_000));
    expect(screen.getByRole('button').textContent).toBe('Try again');
  });

  test('shows the time of day for a long wait', () => {
    show({ ...limit, retryAfterSeconds: 40 * 3600 }, () => {});
    expect(screen.getByRole('button').textContent).toBe('Try again from May 3');
  });

  test('is enabled at once for other reasons', () => {
    show({ type: 'token_balance', balance: 0, promptTokens: 1, tokenCost: 6 }, () => {});
    expect(screen.getByRole('button').textContent).toBe('Try again');
  });
});

test.each([
  [0, '$0.00'],
  [5, '$0.000005'],
  [1_234_567, '$1.23'],
])('a balance of %i credits is shown as %s', (credits, shown) => {
  expect(formatCredits(credits, 'en-US')).toBe(shown);
});

function show(reason: Reason, onRetry: () => void) {
  render(
    <MantineProvider>
      <RetryButton message={message('answer', 2, { reason })} onRetry={onRetry} />
    </MantineProvider>,
  );
}
