// People who ask questions that need tools, in their own process.
import { randomUUID } from 'node:crypto';
import type { FinalEvent, GenerationEvent } from '@parley/schema/generation/events';
import { createDevice, registerAccount, type Device } from '../../api-client.ts';
import { serveHelper } from '../child-process.ts';

export interface ToolQuestion {
  /** The keys of the tools that the conversation has. */
  tools: string[];
  /** Every `MARK` in it becomes a word of this one question. */
  text: string;
  /** How many calls of tools must succeed. */
  calls: number;
}

export interface ToolReading {
  generationId: string;
  /** Milliseconds from sending the question to the first output of a tool; NaN without any. */
  firstOutput: number;
}

interface Person {
  device: Device;
  convoId: string;
  /** The newest message of the conversation. */
  parentId: string | null;
}

const people: Person[] = [];

const calls = {
  /** Registers people, each in a conversation of their own. */
  async open(url: string, count: number): Promise<void> {
    while (people.length < count) {
      const device = createDevice(url, await registerAccount(url, `asker${people.length}`));
      people.push({ device, convoId: '', parentId: null });
    }
    calls.beginAnew();
  },
  /** Everybody goes on in a new conversation. */
  beginAnew(): void {
    for (const person of people) Object.assign(person, { convoId: randomUUID(), parentId: null });
  },
  /** The person asks and reads to the end. */
  ask: (n: number, question: ToolQuestion): Promise<ToolReading> => ask(personAt(n), question),
  /** All ask at once. */
  askAll: (question: ToolQuestion): Promise<ToolReading[]> =>
    Promise.all(people.map((person) => ask(person, question))),
  async close(): Promise<void> {
    await Promise.all(people.splice(0).map(({ device }) => device.close()));
  },
};
export type ToolClientCalls = typeof calls;
serveHelper(calls);

function personAt(n: number): Person {
  const person = people[n];
  if (!person) throw new Error(`There is no person ${n}`);
  return person;
}

async function ask(person: Person, { tools, text, calls: wanted }: ToolQuestion): Promise<ToolReading> {
  const { device, convoId, parentId } = person;
  const [generationId, messageId, replyId] = [randomUUID(), randomUUID(), randomUUID()];
  const sentAt = performance.now();
  let firstOutput = NaN;
  await device.api.messages.ask.mutate({
    generationId,
    conversationId: convoId,
    replyId,
    endpoint: 'openAI',
    model: 'gpt-4',
    settings: { tools },
    target: { kind: 'send', messageId, parentMessageId: parentId, text: text.replaceAll('MARK', randomUUID()) },
  });
  const final = await new Promise<FinalEvent>((resolve, reject) => {
    const onData = ({ data }: { data: GenerationEvent }) => {
      if (Number.isNaN(firstOutput) && hasOutput(data)) firstOutput = performance.now() - sentAt;
      if (data.type === 'final') resolve(data);
    };
    device.api.messages.attach.subscribe({ generationId }, { onData, onError: reject });
  });
  person.parentId = replyId;
  const { parts, reason } = final.reply;
  const done = parts.filter((part) => part.type === 'tool_call' && part.call.state === 'done');
  if (done.length !== wanted) throw new Error(`${done.length} calls of ${wanted}: ${JSON.stringify(reason ?? parts)}`);
  return { generationId, firstOutput };
}

function hasOutput(event: GenerationEvent): boolean {
  return (
    event.type === 'log' ||
    (event.type === 'part' && event.value.type === 'tool_call' && (event.value.call.outputs ?? []).length > 0)
  );
}
