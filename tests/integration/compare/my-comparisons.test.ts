// Which models a person went on with, where their answers stood side by side.
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { question, readAll } from '../../support/exchange.ts';
import { withServices } from '../../support/services.ts';

const stage = withServices();
const PLAIN = 'fake:plain';
const ECHO = 'fake:echo';

it('going on with one ends the comparison: the chat has its model, and the choice is counted', async () => {
  const { api } = await stage.services.as('erin');
  const { conversationId, columns } = await compare('erin', [PLAIN, ECHO]);
  const convo = await api.compare.goOn({ conversationId, replyId: replyOf(columns, ECHO) });
  expect(convo).toMatchObject({ model: ECHO });
  expect(convo.columns).toBeUndefined();
  expect(await countsOf('erin')).toEqual({ [ECHO]: '1 of 1', [PLAIN]: '0 of 1' });
  await expect(api.compare.goOn({ conversationId, replyId: replyOf(columns, ECHO) })).rejects.toThrow();
  // What is there already is put side by side again.
  const again = await api.convos.setColumns({ conversationId, columns });
  expect(again.columns).toEqual(columns);
  const foreign = columns.map((column) => ({ ...column, replyId: randomUUID() }));
  await expect(api.convos.setColumns({ conversationId, columns: foreign })).rejects.toThrow();
});

it('a changed mind counts once for each question, also where an answer was given anew meanwhile', async () => {
  const { id, api } = await stage.services.as('dave');
  const { conversationId, columns, questionId } = await compare('dave', [PLAIN, ECHO]);
  await api.compare.goOn({ conversationId, replyId: replyOf(columns, ECHO) });
  await api.convos.setColumns({ conversationId, columns });
  await api.compare.goOn({ conversationId, replyId: replyOf(columns, PLAIN) });
  expect(await countsOf('dave')).toEqual({ [PLAIN]: '1 of 1', [ECHO]: '0 of 1' });

  await api.convos.setColumns({ conversationId, columns });
  const target = { kind: 'regenerate', parentMessageId: questionId } as const;
  const anew = question('', { conversationId, model: PLAIN, column: 0, keepsModel: true, target });
  await api.messages.ask(anew);
  await readAll(stage.services, id, anew.generationId);
  await api.compare.goOn({ conversationId, replyId: replyOf(columns, ECHO) });
  expect(await countsOf('dave')).toEqual({ [ECHO]: '1 of 1', [PLAIN]: '0 of 2' });
});

it('what ends without a choice, what failed, thumbs and copies count nothing; what is deleted counts once it is restored', async () => {
  const { api } = await stage.services.as('bob');
  const ended = await compare('bob', [PLAIN, ECHO]);
  await api.convos.setColumns({ conversationId: ended.conversationId, columns: null });
  await api.messages.rate({
    conversationId: ended.conversationId,
    messageId: replyOf(ended.columns, ECHO),
    rating: 1,
  });
  expect(await countsOf('bob')).toEqual({});

  const { conversationId, columns } = await compare('bob', [PLAIN, 'fake:error-500']);
  await api.compare.goOn({ conversationId, replyId: replyOf(columns, PLAIN) });
  expect(await countsOf('bob')).toEqual({ [PLAIN]: '1 of 1' });
  const other = await compare('bob', [PLAIN, ECHO]);
  await api.compare.goOn({ conversationId: other.conversationId, replyId: replyOf(other.columns, ECHO) });
  const counted = { [ECHO]: '1 of 1', [PLAIN]: '1 of 2' };
  expect(await countsOf('bob')).toEqual(counted);
  await api.convos.fork({
    conversationId: other.conversationId,
    messageId: replyOf(other.columns, ECHO),
    forkId: randomUUID(),
  });
  expect(await countsOf('bob')).toEqual(counted);

  const { deletionId } = await api.convos.remove({ conversationId: other.conversationId });
  expect(await countsOf('bob')).toEqual({ [PLAIN]: '1 of 1' });
  await api.convos.restore({ deletionId: deletionId ?? '' });
  expect(await countsOf('bob')).toEqual(counted);
});

/** A question to these models, all of which have answered. */
async function compare(name: 'bob' | 'dave' | 'erin', models: readonly string[]) {
  const { id, api } = await stage.services.as(name);
  const conversationId = randomUUID();
  const target = { kind: 'send', messageId: randomUUID(), parentMessageId: null, text: 'Which one?' } as const;
  const asks = models.map((model) => ({
    generationId: randomUUID(),
    replyId: randomUUID(),
    endpoint: 'openAI',
    model,
    settings: {},
    target,
  }));
  await api.messages.askMany({ conversationId, asks });
  await Promise.all(asks.map(({ generationId }) => readAll(stage.services, id, generationId)));
  const columns = asks.map(({ endpoint, model, settings, replyId }) => ({ endpoint, model, settings, replyId }));
  return { conversationId, columns, questionId: target.messageId };
}

function replyOf(columns: readonly { model: string; replyId: string }[], model: string): string {
  return columns.find((column) => column.model === model)?.replyId ?? '';
}

/** By model, how often its answer was chosen of how many. */
async function countsOf(name: 'bob' | 'dave' | 'erin'): Promise<Record<string, string>> {
  const { api } = await stage.services.as(name);
  const compared = await api.compare.mine();
  return Object.fromEntries(compared.map(({ model, chosen, answers }) => [model, `${chosen} of ${answers}`]));
}
