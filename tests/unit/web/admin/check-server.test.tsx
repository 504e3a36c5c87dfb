// @vitest-environment happy-dom
// The overview says first what needs an administrator, and what can be done about it.
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { checkServer } from '../../../../web/src/admin/overview/check-server.ts';
import { Needs } from '../../../../web/src/admin/overview/overview-section.tsx';
import type { Overview } from '../../../../web/src/admin/overview/check-server.ts';
import { i18n } from '../../../../web/src/i18n.ts';
import { startEnglish } from '../start-english.ts';

beforeAll(startEnglish);
afterEach(cleanup);

const AT = '2026-11-27T10:20:00.000Z';
const COMMAND = 'npm run backup -- saved.zip';

const WELL: Overview = {
  processes: [{ id: 'p1', host: 'one', version: '0.9.0', startedAt: AT, state: 'ready', answers: 0 }],
  silent: 0,
  answers: { running: 0, left: 0 },
  queued: 0,
  failures: [],
  database: { ms: 1, bytes: 1000 },
  disks: [{ holds: 'data', free: 50, total: 100 }],
  files: { source: 'local', isAnswering: true },
  mail: { isSetUp: true, failedAt: null },
  backup: { made: { endedAt: AT, bytes: 1000, version: '0.9.0' }, restored: null, command: COMMAND },
};

const check = (changed: Partial<Overview>, waiting: string[] = []) =>
  checkServer({ ...WELL, ...changed }, waiting, i18n.t, 'en-US');

const problems = (changed: Partial<Overview>) => check(changed).filter(({ problem }) => problem);

test('a server without problems needs nobody, and what is well is named', () => {
  render(<Needs checks={check({})} command={COMMAND} />);
  expect(document.body.textContent).toBe('');
  expect(check({}).map(({ title }) => title)).toEqual([
    'Last backup',
    'Providers',
    'Database',
    'Disk',
    'Files',
    'Mail',
    'Processes',
  ]);
});

test('the last mail that could not be sent needs attention, and it is said when that was', () => {
  const [found, ...others] = problems({ mail: { isSetUp: true, failedAt: AT } });
  expect(others).toEqual([]);
  expect(found).toMatchObject({ title: 'Mail', problem: { words: expect.stringMatching(/could not be sent.*2026/) } });
});

test('a server without mail is neither well nor a problem in that', () => {
  expect(check({ mail: { isSetUp: false, failedAt: null } }).map(({ title }) => title)).not.toContain('Mail');
});

test('each problem stands in words beside what helps', () => {
  const checks = check(
    {
      backup: { made: null, restored: null, command: COMMAND },
      disks: [{ holds: 'data', free: 5, total: 100 }],
      files: { source: 's3', isAnswering: false },
      failures: [{ endpoint: 'openAI', failed: 3, reason: { type: 'invalid_api_key', endpoint: 'openAI' } }],
      silent: 2,
    },
    ['Dave Example'],
  );
  render(<Needs checks={checks} command={COMMAND} />);
  const rows = screen.getAllByRole('listitem').map(({ textContent }) => textContent);
  expect(rows).toEqual([
    'Waiting for approvalDave ExamplePeople',
    'Last backupThis server has never been backed up.Make a backup',
    expect.stringMatching(/^OpenAIFailed answers in the last hour: 3\. .*Providers$/),
    'Disk5 bytes free: 5% of 100 bytesRetention',
    'FilesDoes not answer.',
    'ProcessesProcesses that are connected but not responding: 2',
  ]);
  expect(screen.getByRole('link', { name: 'People' }).getAttribute('href')).toBe('/admin/people');
  expect(document.body.textContent).not.toContain(COMMAND);
});
