// Answers that used tools: the folded line of each step, what is in it, and what the tools made.
import { expect, test } from 'vitest';
import { soon, withApp } from '../../support/browser/app-fixture.ts';
import { attach, picture, textFile, uploaded } from '../../support/browser/attachments.ts';
import { expectAccessible } from '../../support/browser/axe.ts';
import { answered, composer, lastMessage, openId, openNewChat, sendButton } from '../../support/browser/chat.ts';
import { attachedFiles, codeCall, setAnswer, toolCall } from '../../support/browser/tool-calls.ts';

const stage = withApp();

test('a step folds to a line, shows code, output, images and files, and is the same after a reload', async () => {
  const { page } = await stage.open('alice');
  await openNewChat(page);
  await attach(page, await picture('chart.png'), textFile('table.csv', 'a,b\n1,2', 'text/csv'));
  await uploaded(page, 2);
  await composer(page).fill('Draw the numbers');
  await sendButton(page).click();
  await answered(page);
  const id = openId(page);
  const made = await attachedFiles(stage.app, id);
  await setAnswer(stage.app, id, [
    codeCall({
      input: JSON.stringify({ code: 'import math\nprint(math.pi)' }),
      output: '3.14159',
      outputs: [{ type: 'logs', text: '3.14159\n' }, ...made],
      tookMs: 2_100,
    }),
    toolCall({ id: '1:0', step: 1 }),
    toolCall({
      id: '1:1',
      step: 1,
      from: { source: 'plugin', id: 'web-browser', label: 'Browser' },
      state: 'failed',
      output: 'error processing tool: no answer',
    }),
    { type: 'text', text: 'Here it is.' },
  ]);

  for (const isFirst of [true, false]) {
    await page.reload();
    const answer = lastMessage(page);
    const steps = answer.getByTestId('step');
    await soon(() => steps.locator('summary').allInnerTexts()).toEqual([
      expect.stringMatching(/^Ran Python\s·\s2\.1 sec$/),
      expect.stringMatching(/^Used Calculator · Browser failed\s·\s0\.4 sec$/),
    ]);
    await answer.getByText('table.csv').waitFor();
    await steps
      .first()
      .getByRole('button', { name: /^Open chart\.png/ })
      .waitFor();
    if (isFirst) await expectAccessible(page);

    await steps.first().locator('summary').press('Enter');
    await steps.first().getByText('print(math.pi)').waitFor();
    await soon(() => steps.first().getByRole('group', { name: 'Output' }).innerText()).toBe('3.14159\n');
    await steps.last().locator('summary').click();
    await soon(() => steps.last().locator('li').last().innerText()).toMatch(/Browser failed[^]*no answer/);
    if (isFirst) await expectAccessible(page);
  }
});
