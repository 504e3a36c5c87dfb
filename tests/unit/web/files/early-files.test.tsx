// @vitest-environment happy-dom
import { render } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { earlyFiles, useEarlyFiles } from '../../../../web/src/chat/attachments/early-files.ts';

function Early(): null {
  useEarlyFiles();
  return null;
}

beforeEach(() => {
  earlyFiles.length = 0;
  render(<Early />);
});
afterEach(() => document.querySelector('[role=dialog]')?.remove());

function drop(target: EventTarget): Event {
  const event = new Event('drop', { bubbles: true, cancelable: true });
  const files = [new File(['fees'], 'fees.txt')];
  target.dispatchEvent(Object.assign(event, { dataTransfer: { types: ['Files'], files, items: [] } }));
  return event;
}

test('a file that is dropped before the code for it has loaded waits', () => {
  expect(drop(document.body).defaultPrevented).toBe(true);
  expect(earlyFiles.map(({ name }) => name)).toEqual(['fees.txt']);
});

test('a file that is dropped on a dialog is for no question, and does not leave the page', () => {
  const dialog = document.body.appendChild(document.createElement('div'));
  dialog.setAttribute('role', 'dialog');
  expect(drop(dialog).defaultPrevented).toBe(true);
  expect(earlyFiles).toEqual([]);
});

test('a file that something else has taken is not attached, too', () => {
  const taker = document.body.appendChild(document.createElement('div'));
  taker.addEventListener('drop', (event) => event.preventDefault());
  drop(taker);
  expect(earlyFiles).toEqual([]);
  taker.remove();
});
