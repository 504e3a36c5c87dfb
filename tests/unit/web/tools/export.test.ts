// Tool calls in the five export formats (an image is drawn from the same parts), and back.
import { ExportedPart } from '@parley/schema/transfer/exported';
import { buildTree } from '@parley/schema/messages/tree';
import type { Message, MessagePart, ToolCall } from '@parley/schema/messages/messages';
import { describe, expect, test } from 'vitest';
import { asCsv } from '../../../../web/src/export/as-csv.ts';
import { asJson } from '../../../../web/src/export/as-json.ts';
import { asMarkdown } from '../../../../web/src/export/as-markdown.ts';
import { asText } from '../../../../web/src/export/as-text.ts';
import type { Transcript } from '../../../../web/src/export/transcript.ts';
import { convo, message } from '../chat/people.ts';
import { call } from './calls.ts';

const image = {
  type: 'image',
  fileId: 'p',
  path: '/images/u/p.png',
  width: 4,
  height: 3,
  prompt: 'A chart',
} as const;
const code = call({
  id: '0:1',
  kind: 'code_interpreter',
  name: 'python',
  input: '{"code":"print(`1`)"}',
  output: '1',
  step: 0,
  from: { source: 'builtin', id: 'code_interpreter', label: 'Code interpreter' },
  outputs: [{ type: 'logs', text: '1\n' }, image],
  tookMs: 2_100,
});
const lost = call({ id: '1:0', state: 'failed', output: 'error processing tool: ```no```' });
const part = (one: ToolCall): MessagePart => ({ type: 'tool_call', call: one });
const answer = message('a', 1, {
  parts: [{ type: 'text', text: 'Let me see.' }, part(code), part(lost), { type: 'text', text: 'One.' }],
});

function transcript(of: Message): Transcript {
  return {
    convo: convo(),
    title: 'Tools',
    tree: buildTree([of]),
    path: [of],
    exportAt: 'now',
    failureOf: () => 'It failed.',
  };
}

test("a call's output is a block of code in an export", () => {
  const from = { source: 'builtin', id: 'artifact', label: 'Artifacts' } as const;
  const source = '# Pond\n```js\n1\n```';
  const made = call({ from, outputs: [{ type: 'artifact', info: 'markdown id="pond"', source }] });
  const exported = transcript(message('a', 1, { parts: [part(made)] }));
  const block = `~~~markdown id="pond"\n${source}\n~~~`;
  expect(asMarkdown(exported, { includeOptions: false }).join('')).toContain(`*Tool: Artifacts*\n\n${block}\n`);
  expect(asText(exported, { includeOptions: false }).join('')).toContain(`[tool: Artifacts]\n${block}`);
});

describe('tool calls are exported', () => {
  const lines = `Let me see.
[tool: Code interpreter]
arguments: print(\`1\`)
output: 1
[image: A chart]
[tool: calculator, failed]
arguments: {"expression":"2+2"}
output: error processing tool: \`\`\`no\`\`\`
One.`;

  test('as text, where they were made', () => {
    expect(asText(transcript(answer), { includeOptions: false }).join('')).toContain(`>> GPT-4:\n${lines}\n`);
  });

  test('as a cell of a table', () => {
    expect(asCsv(transcript(answer), { exportBranches: false }).join('')).toContain(`"${lines.replaceAll('"', '""')}"`);
  });

  test('as markdown, in fences that their text does not close', () => {
    expect(asMarkdown(transcript(answer), { includeOptions: false }).join('')).toContain(`Let me see.

*Tool: Code interpreter*

Arguments:

\`\`\`python
print(\`1\`)
\`\`\`

Output:

\`\`\`
1
\`\`\`

[image: A chart]


*Tool: calculator, failed*

Arguments:

\`\`\`json
{
  "expression": "2+2"
}
\`\`\`

Output:

\`\`\`\`
error processing tool: \`\`\`no\`\`\`
\`\`\`\`

One.`);
  });

  test('as JSON, from which an import has them again', () => {
    const choices = { includeOptions: false, exportBranches: false, recursive: false };
    const file = JSON.parse(asJson(transcript(answer), choices).join('')) as { messages: { parts: unknown[] }[] };
    expect(file.messages[0]?.parts.map((one) => ExportedPart.parse(one))).toEqual(answer.parts);
  });

  test('with the reason of an answer that failed', () => {
    const failed = message('f', 1, { parts: [part(lost)], reason: { type: 'provider_broke_off' } });
    expect(asText(transcript(failed), { includeOptions: false }).join('')).toContain(
      'error processing tool: ```no```\nIt failed.\n(This is an error message)',
    );
  });
});

test('an imported call waits for nobody, runs no longer, and has no signature', () => {
  const signature = { endpointType: 'openAI', model: 'gpt-4', data: 'sealed' } as const;
  const waiting = call({ state: 'waiting', needs: 'sign_in', signInUrl: 'https://example.com', seal: signature });
  expect(ExportedPart.parse(part(waiting))).toEqual(part(call({ state: 'stopped' })));
  expect(ExportedPart.parse({ type: 'tool_call', call: { ...call(), outputs: 'none', step: -1, from: 7 } })).toEqual(
    part(call()),
  );
});
