// Pages of answers that run.
import { scriptedStream } from '@parley/scripts/fake-provider/scenario';
import type { Locator, Page } from 'playwright-core';
import type { App } from '../../support/browser/app.ts';
import { answered, ask, lastMessage, openNewChat } from '../../support/browser/chat.ts';

interface Shown {
  pane: Locator;
  /** The frame in which it runs. */
  frame: Locator;
}

/** Asks for an artifact in a new chat and opens it beside the chat. `info` are the words behind its fence. */
export async function openArtifact(app: App, page: Page, name: string, info: string, source: string): Promise<Locator> {
  const scenario = name.replaceAll(' ', '-');
  const answer = `\`\`\`${info}\n${source}\n\`\`\``;
  // Some have 200 kB, which would take minutes word by word.
  const pieces = answer.match(/[^]{1,1000}/gu) ?? [];
  const steps = pieces.map((text) => ({ type: 'text' as const, text }));
  app.provider.script(scenario, { about: name, script: () => scriptedStream(steps) });
  await openNewChat(page);
  await ask(page, `Make ${name} [[${scenario}]]`);
  await answered(page);
  await lastMessage(page)
    .getByRole('button', { name: /^Open / })
    .click();
  return page.getByTestId('artifact-pane');
}

export async function run(pane: Locator): Promise<Shown> {
  await pane.getByRole('button', { name: 'Run', exact: true }).click();
  const frame = pane.locator('iframe[src="/artifact/frame.html"]');
  await frame.waitFor();
  return { pane, frame };
}

/** Asks for a page with this script in a new chat, opens it beside the chat and runs it. */
export async function runScript(app: App, page: Page, name: string, script: string): Promise<Shown> {
  const source = `<title>Fault</title>\n<p id="said">Not run</p>\n<script>${script}</script>\n${'<p>more</p>\n'.repeat(15)}`;
  return run(await openArtifact(app, page, name, 'html', source));
}
