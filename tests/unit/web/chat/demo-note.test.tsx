// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { DemoNote } from '../../../../web/src/chat/landing/demo-note.tsx';
import { startEnglish } from '../start-english.ts';

beforeAll(startEnglish);
afterEach(cleanup);

test('the demo says that its answers are prepared, and where a key goes', () => {
  render(<DemoNote modelTarget={{ endpoint: 'Demo', model: 'parley-demo' }} />);
  expect(screen.getByText(/prepared texts/).textContent).toContain('.env');
});

test.each([
  ['openAI', 'gpt-4'],
  ['Demo', 'llama'],
  ['Demo', null],
])('%s with the model %s says nothing of it', (endpoint, model) => {
  const { container } = render(<DemoNote modelTarget={{ endpoint, model }} />);
  expect(container.textContent).toBe('');
});
