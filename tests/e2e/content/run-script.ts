// Pages of answers that run.
import { textSteps, scriptedStream } from '@parley/scripts/fake-provider/scenario';
import type { Locator, Page } from 'playwright-core';
import type { App } from '../../support/browser/app.ts';
import { answered, ask, lastMessage, openNewChat } from '../../support/browser/chat.ts';

/** Asks for a page with this script in a new chat, opens it beside the chat and runs it. */
export async function runScript(
  app: App,
  page: Page,
  name: string,
  script: string,
): Promise<{ pane: Locator; frame: Locator }> {
  const source = `<title>Fault</title>\n<p id="said">Not run</p>\n<script>${script}</script>\n${'<p>more</p>\n'.repeat(15)}`;
  const scenario = name.replaceAll(' ', '-');
  const answer = `\`\`\`html\n${source}\n\`\`\``;
  app.provider.script(scenario, { about: name, script: () => scriptedStream(textSteps(answer)) });
  await openNewChat(page);
  await ask(page, `Make ${name} [[${scenario}]]`);
  await answered(page);
  await lastMessage(page).getByRole('button', { name: 'Open Fault' }).click();
  const pane = page.getByTestId('artifact-pane');
  await pane.getByRole('button', { name: 'Run', exact: true }).click();
  const frame = pane.locator('iframe[src="/artifact/frame.html"]');
  await frame.waitFor();
  return { pane, frame };
}
