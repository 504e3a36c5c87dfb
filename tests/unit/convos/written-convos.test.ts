import type { ConvoRow } from '@parley/server/convos/present';
import { createWrittenConvos } from '@parley/server/convos/written-convos';
import { expect, test } from 'vitest';

const row = (userId: string, changeSeq: number): ConvoRow => ({ ...EMPTY, userId, changeSeq });
const EMPTY: ConvoRow = {
  userId: '',
  id: 'convo',
  title: null,
  titledBy: null,
  titledAt: null,
  endpoint: 'openAI',
  endpointType: 'openAI',
  model: null,
  settings: {},
  threadIds: null,
  running: null,
  runsLeft: 0,
  columns: null,
  isPinned: false,
  pinPosition: null,
  isArchived: false,
  isUnread: false,
  folderId: null,
  temporaryUntil: null,
  forkedFrom: null,
  changeSeq: 0,
  messagesSeq: 0,
  createdAt: '2030-01-01T00:00:00Z',
  updatedAt: '2030-01-01T00:00:00Z',
  arrivedAt: null,
  origin: null,
  deletedAt: null,
  deletionId: null,
};

test('each feed of a user takes the rows that follow what it has seen, each once', () => {
  const written = createWrittenConvos();
  const [one, other, foreign] = [written.follow('ada'), written.follow('ada'), written.follow('bob')];
  written.offer(row('ada', 5));
  for (const seq of [6, 8]) written.offer(row('ada', seq));
  expect(one.takeAfter(3)).toEqual([]);
  expect(one.takeAfter(4)).toMatchObject([{ changeSeq: 5 }, { changeSeq: 6 }]);
  expect(one.takeAfter(4)).toEqual([]);
  expect(other.takeAfter(5)).toMatchObject([{ changeSeq: 6 }]);
  expect(foreign.takeAfter(4)).toEqual([]);
});

test('a feed keeps few rows, and none from before it or after its end', () => {
  const written = createWrittenConvos();
  written.offer(row('ada', 1));
  const feed = written.follow('ada');
  expect(feed.takeAfter(0)).toEqual([]);
  for (let seq = 2; seq <= 18; seq++) written.offer(row('ada', seq));
  expect(Array.from({ length: 20 }, (_, seq) => feed.takeAfter(seq)).flat()).toHaveLength(1);
  feed.end();
  written.offer(row('ada', 19));
  expect(feed.takeAfter(18)).toEqual([]);
});
