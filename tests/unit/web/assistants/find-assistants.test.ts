import { expect, test } from 'vitest';
import { findAssistants } from '../../../../web/src/assistants/find-assistants.ts';

const all = [
  { name: 'Sea guide', description: 'Knows every harbour' },
  { name: null, description: null },
  { name: 'Cook', description: null, sharedBy: 'Bob' },
];
const found = (text: string) => {
  const { own, shared } = findAssistants(all, text);
  return [own.map(({ name }) => name), shared.map(({ name }) => name)];
};

test('a list of assistants has those of the person apart from those of others', () => {
  expect(found(' ')).toEqual([['Sea guide', null], ['Cook']]);
});

test('assistants are found by name, description and owner, in any case', () => {
  expect(found('SEA')).toEqual([['Sea guide'], []]);
  expect(found('harbour')).toEqual([['Sea guide'], []]);
  expect(found('bob')).toEqual([[], ['Cook']]);
  expect(found('nothing like it')).toEqual([[], []]);
});
