import { lintable, findTests } from '@parley/scripts/test/changed';
import { describe, expect, it } from 'vitest';

const everything = () => true;

describe('the tests of what has changed', () => {
  it('are those of the rooms in which the changed files are', () => {
    const tests = findTests(['server/src/billing/budgets/budgets.ts', 'server/src/billing/quote.ts'], everything);
    expect(tests.filter((path) => path.endsWith('/'))).toEqual(['tests/integration/billing/', 'tests/unit/billing/']);
  });

  it('are also the tests that have changed themselves', () => {
    const changed = ['tests/e2e/chat/send.test.ts', 'tests/support/server.ts'];
    expect(findTests(changed, everything)).toEqual(['tests/e2e/chat/send.test.ts']);
  });

  it('leave out rooms without tests', () => {
    expect(findTests(['web/src/convos/list.tsx'], (path) => path === 'tests/unit/web/convos/')).toEqual([
      'tests/unit/web/convos/',
    ]);
    expect(findTests(['web/src/convos/list.tsx'], () => false)).toEqual([]);
  });

  it('exist for rooms of this repository', () => {
    expect(findTests(['server/src/billing/quote.ts'])).toEqual(['tests/integration/billing/', 'tests/unit/billing/']);
  });

  it('follow a check of the sources only', () => {
    expect(lintable(['docs/data.md', 'web/src/app/app.tsx', 'web/src/app/app.css'])).toEqual(['web/src/app/app.tsx']);
  });
});
