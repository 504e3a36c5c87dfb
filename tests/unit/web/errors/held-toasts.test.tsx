// @vitest-environment happy-dom
import { MantineProvider } from '@mantine/core';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { startEnglish } from '../start-english.ts';
import { showToast } from '../../../../web/src/ui/toast/toast.ts';
import { Toasts } from '../../../../web/src/ui/toast/toasts.tsx';

beforeAll(startEnglish);
afterEach(cleanup);

const twoFrames = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));

test('a notice stays where it is while a button is held down, and moves after the release', async () => {
  render(
    <MantineProvider>
      <div role="dialog">
        <button type="button">Export</button>
      </div>
      <Toasts />
    </MantineProvider>,
  );
  const button = screen.getByRole('button', { name: 'Export' });
  button.checkVisibility = () => true;
  screen.getByRole('dialog').checkVisibility = () => true;
  showToast({ message: 'It was imported.', severity: 'success', duration: 60_000 });
  const toast = await screen.findByTestId('toast');
  toast.getBoundingClientRect = () => new DOMRect(0, 0, 300, 40);
  const stack = screen.getByRole('region', { name: 'Notifications' });
  Object.defineProperty(stack, 'offsetHeight', { value: 40 });
  const before = stack.style.top;
  expect(before).not.toBe('');

  // The page has moved since: the button is where the notice stands.
  button.getBoundingClientRect = () => new DOMRect(0, 0, innerWidth, 60);
  fireEvent.pointerDown(button);
  button.focus();
  await twoFrames();
  expect(stack.style.top).toBe(before);
  fireEvent.pointerUp(button);
  await twoFrames();
  expect(stack.style.top).not.toBe(before);
});
