/** What a model says to a request for an answer of a shape, or for a call: what it is asked for, with made up values. */
import { scriptedStream, textPieces, textSteps, type Script } from '../scenario.ts';
import { callsIn, objectFor } from './calls-in.ts';
import type { ToolsInRequest } from './tools-in-request.ts';

/** Undefined where the request leaves it to the model. A call is asked for only once since the question. */
export function obedientScript(question: string, tools: ToolsInRequest): Script | undefined {
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
