/** All named scenarios, and how a request selects one. */
import { failures } from './failure-scenarios.ts';
import { edgeCases } from './edge-case-scenarios.ts';
import {
  type Ask,
  type Scenario,
  type Script,
  textOfScript,
  scriptedStream,
  textPieces,
  textSteps,
} from './scenario.ts';
import { replyScenarios } from './reply-scenarios.ts';
import { loopScenarios } from './tools/loop-scenarios.ts';
import { researchScenarios } from './tools/research-scenario.ts';
import { toolScenarios } from './tools/scenarios.ts';
import { callsIn, objectFor } from './tools/calls-in.ts';
import type { ToolsInRequest } from './tools/tools-in-request.ts';

export const scenarios = {
  ...replyScenarios,
  ...toolScenarios,
  ...loopScenarios,
  ...researchScenarios,
  ...failures,
  ...edgeCases,
};

export type ScenarioName = keyof typeof scenarios;

export type Choice = { name: string; arg: string | undefined };

/**
 * The text of a scenario's answer to a question, always the same: what a client must have, byte for byte, when the
 * stream is read to its end or break. For `flaky` the answer after its failures; for an endless one its first 100,000
 * tokens.
 */
export function scenarioText(name: ScenarioName, arg: string | undefined, question: string): string {
  const scenario: Scenario = scenarios[name];
  return textOfScript(scenario.script({ question, arg, attempt: Number.MAX_SAFE_INTEGER }));
}

/** What a scenario answers. A plain answer is what the request wants it to be. */
export function scriptOf(scenario: Scenario, ask: Ask): Script {
  const obedient = scenario === scenarios.plain && ask.tools ? obedientScript(ask.question, ask.tools) : undefined;
  return obedient ?? scenario.script(ask);
}

/** Where a request may name its scenario, highest precedence first. */
export type ScenarioRequest = { header: string | undefined; prefix: string | undefined; model: string; text: string };

/** `x-scenario`, then the `/as/<name>` path prefix, then the model, then `[[name:arg]]` in the text; else plain. */
export function chooseScenario(request: ScenarioRequest, known: ReadonlyMap<string, Scenario>): Choice {
  const inText = [...request.text.matchAll(/\[\[([^\]\n]+)\]\]/g)].map((match) => match[1]);
  const named = [request.header, request.prefix, request.model.replace(/^fake:/, ''), ...inText];
  const choices = named.flatMap((wish) => (wish === undefined ? [] : [parseChoice(wish)]));
  return choices.find((choice) => known.has(choice.name)) ?? { name: 'plain', arg: undefined };
}

function parseChoice(wish: string): Choice {
  const [name = '', arg] = wish.trim().split(/:(.*)/s);
  return { name, arg };
}

/** What a model says to a request for an answer of a shape, or for a call: what it is asked for, with made up values. */

/** Undefined where the request leaves it to the model. A call is asked for only once since the question. */
function obedientScript(question: string, tools: ToolsInRequest): Script | undefined {
  const { forced, format, offered, steps } = tools;
  if (forced && steps.length === 0) {
    const tool = offered.find(({ name }) => forced.includes(name));
    if (!tool) return undefined;
    const wanted = callsIn(question, offered)
      .flat()
      .find(({ name }) => name === tool.name);
    const input = wanted?.input ?? JSON.stringify(objectFor(tool.parameters));
    const call = { index: 0, id: 'call_0_0_fake', name: tool.name, pieces: textPieces(input) };
    return scriptedStream([{ type: 'tool', call }], { finish: 'tool_calls' });
  }
  if (!format || forced) return undefined;
  return scriptedStream(
    textSteps(JSON.stringify(Object.keys(format).length > 0 ? objectFor(format) : { said: question })),
  );
}
