// The fake provider and the service of a fast tool, in one process, so that one clock times both.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { asFields } from '@parley/schema/json';
import { startFakeProvider, type RecordedRequest } from '../../fake-provider.ts';
import { now } from '../../fake-provider/record.ts';
import { numberFrom, textSteps, scriptedStream, type Step } from '../../fake-provider/scenario.ts';
import { serveHelper } from '../child-process.ts';

const provider = await startFakeProvider();
provider.script('paced-arguments', {
  about: '`paced-arguments:<characters>`: one call of Python with a comment so long, which comes in pieces of four',
  script: ({ arg, attempt }) =>
    attempt > 0
      ? scriptedStream(textSteps('Done.'))
      : scriptedStream(pacedCall(numberFrom(arg, 20_000)), { finish: 'tool_calls' }),
});
/** When the service answered each query. */
const answeredAt = new Map<string, number>();
const service = createServer({ noDelay: true, keepAliveTimeout: 30_000 }, (request, response) => {
  const query = new URL(request.url ?? '', 'http://fake').searchParams.get('input') ?? '';
  response.on('finish', () => answeredAt.set(query, now()));
  response.end('42');
});
await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));

const calls = {
  urls: () => ({
    provider: provider.url,
    service: `http://127.0.0.1:${(service.address() as AddressInfo).port}`,
  }),
  /** Milliseconds from the answer of the service to the next call of the provider, for each step since the last time. */
  gaps(): number[] {
    const gaps = provider.requests.flatMap(gapBefore);
    provider.clear();
    answeredAt.clear();
    return gaps;
  },
};
export type ToolProviderCalls = typeof calls;
serveHelper(calls);

/** Each piece is a step of its own, which the scenarios of other calls are not. */
function pacedCall(characters: number): Step[] {
  const input = JSON.stringify({ code: '#'.repeat(characters) });
  const pieces = input.match(/.{1,4}/g) ?? [];
  const reported = [
    { id: 'call_paced', type: 'function', function: { name: 'execute_python', arguments: '' } },
    ...pieces.map((piece) => ({ function: { arguments: piece } })),
  ];
  return reported.map((call) => {
    const chunk = { choices: [{ index: 0, delta: { tool_calls: [{ index: 0, ...call }] }, finish_reason: null }] };
    return { type: 'raw', bytes: `data: ${JSON.stringify(chunk)}\n\n` };
  });
}

function gapBefore({ tools, at }: RecordedRequest): number[] {
  const input = tools?.steps.at(-1)?.calls.at(-1)?.input;
  if (input === undefined) return [];
  const answered = answeredAt.get(String(asFields(JSON.parse(input)).nl_query));
  return answered === undefined ? [] : [at - answered];
}
