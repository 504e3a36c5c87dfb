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
  deletedAt: null,
  deletionId: null,
};

test('each feed of a user takes an offered row once, by its change number', () => {
  const written = createWrittenConvos();
  const [one, other, foreign] = [written.follow('ada'), written.follow('ada'), written.follow('bob')];
  written.offer(row('ada', 5));
  expect(one.has(5)).toBe(true);
  expect(one.take(4)).toBeUndefined();
  expect(one.take(5)).toMatchObject({ changeSeq: 5 });
  expect(one.take(5)).toBeUndefined();
  expect(other.take(5)).toMatchObject({ changeSeq: 5 });
  expect(foreign.take(5)).toBeUndefined();
});

test('a feed keeps few rows, and none from before it or after its end', () => {
  const written = createWrittenConvos();
  written.offer(row('ada', 1));
  const feed = written.follow('ada');
  expect(feed.has(1)).toBe(false);
  for (let seq = 2; seq <= 18; seq++) written.offer(row('ada', seq));
  expect(Array.from({ length: 20 }, (_, seq) => feed.has(seq)).filter(Boolean)).toHaveLength(1);
  feed.end();
  written.offer(row('ada', 19));
  expect(feed.has(19)).toBe(false);
});
