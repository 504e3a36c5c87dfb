/** All named scenarios, and how a request says which one it wants. */
import { failing } from './failing.ts';
import { odd } from './odd.ts';
import type { Scenario } from './scenario.ts';
import { textOfPlay } from './scenario.ts';
import { speaking } from './speaking.ts';

export const scenarios = { ...speaking, ...failing, ...odd };

export type ScenarioName = keyof typeof scenarios;

export type Choice = { name: string; arg: string | undefined };

/**
 * The text a scenario says to a question, the same each time: what a reader must have, byte for byte, when the stream
 * is heard to its end or to its break. `flaky` is the answer after its failures; an endless one its first 100,000 tokens.
 */
export function textOf(name: ScenarioName, arg: string | undefined, question: string): string {
  const scenario: Scenario = scenarios[name];
  return textOfPlay(scenario.play({ question, arg, attempt: Number.MAX_SAFE_INTEGER }));
}

/** Where a request may name its scenario, strongest first. */
export type Wishes = { header: string | undefined; prefix: string | undefined; model: string; text: string };

/** `x-scenario`, then the `/as/<name>` path prefix, then the model, then `[[name:arg]]` in the text; else plain. */
export function chooseScenario(wishes: Wishes, known: ReadonlyMap<string, Scenario>): Choice {
  const inText = [...wishes.text.matchAll(/\[\[([^\]\n]+)\]\]/g)].map((match) => match[1]);
  const named = [wishes.header, wishes.prefix, wishes.model.replace(/^fake:/, ''), ...inText];
  const choices = named.flatMap((wish) => (wish === undefined ? [] : [parseChoice(wish)]));
  return choices.find((choice) => known.has(choice.name)) ?? { name: 'plain', arg: undefined };
}

function parseChoice(wish: string): Choice {
  const [name = '', arg] = wish.trim().split(/:(.*)/s);
  return { name, arg };
}
