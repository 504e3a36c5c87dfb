// @vitest-environment happy-dom
import { render } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { RunningFrame } from '../../../../web/src/artifacts/run/running-frame.tsx';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('a frame that floods the page is ended, and what it has sent already is not heard any more', () => {
  const told: string[] = [];
  const { container } = render(
    <RunningFrame
      title="Flood"
      code=""
      kind="html"
      onNews={({ state }) => told.push(state)}
      onSilence={() => told.push('silent')}
    />,
  );
  // Frames load nothing here: what it sends comes from a window that stands for its own.
  const source = window;
  Object.defineProperty(container.querySelector('iframe'), 'contentWindow', { value: source });
  const data = { state: 'link', address: 'https://x.example/' };
  const send = () => window.dispatchEvent(new MessageEvent('message', { source, data }));
  for (let n = 0; n < 3_000; n++) send();
  const heard = Array.from({ length: 20 }, () => 'link');
  expect(told).toEqual([...heard, 'silent']);
  // A second later the first ones would be heard again.
  vi.advanceTimersByTime(2_000);
  send();
  expect(told).toEqual([...heard, 'silent']);
});
