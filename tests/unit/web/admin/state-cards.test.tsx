// @vitest-environment happy-dom
// The overview says of the mail what administrators have to know of it.
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { StateCards } from '../../../../web/src/admin/overview/state-cards.tsx';
import type { Overview } from '../../../../web/src/admin/overview/overview.ts';
import { startEnglish } from '../start-english.ts';

beforeAll(startEnglish);
afterEach(cleanup);

function show(mail: Overview['mail']): HTMLElement {
  const overview: Overview = {
    processes: [],
    silent: 0,
    answers: { running: 0, left: 0 },
    queued: 0,
    failures: [],
    database: { ms: 1, bytes: 1000 },
    disks: [],
    files: { source: 'local', isAnswering: true },
    mail,
    backup: { made: null, restored: null, command: 'npm run backup -- saved.zip' },
  };
  render(<StateCards overview={overview} />);
  return screen.getByRole('region', { name: 'Mail' });
}

test('the card of the mail warns where the last one could not be sent, and says when', () => {
  const card = show({ isSetUp: true, failedAt: '2026-11-27T10:20:00.000Z' });
  expect(card.getAttribute('data-warning')).toBe('true');
  expect(card.textContent).toMatch(/could not be sent.*2026|2026.*could not be sent/s);
  cleanup();
  expect(show({ isSetUp: true, failedAt: null }).textContent).not.toContain('could not be sent');
});
