import { messageText, type MessagePart } from '@parley/schema/messages/messages';
import { readableText } from '@parley/schema/messages/readable-text';
import { expect, test } from 'vitest';

const text = (value: string): MessagePart => ({ type: 'text', text: value });
const call: MessagePart = {
  type: 'tool_call',
  call: { id: 'c', kind: 'function', name: 'calculator', input: '{}', output: '42', progress: 1 },
};

test('words before and after a call are not glued together where a message is read as one text', () => {
  const parts = [text('I can.'), call, text('The word is owl.')];
  expect(messageText({ parts })).toBe('I can.The word is owl.');
  expect(readableText({ parts })).toBe('I can.\n\nThe word is owl.');
});

test('text without a call in it, or with space around the call, stays as it is', () => {
  expect(readableText({ parts: [text('one '), text('two')] })).toBe('one two');
  expect(readableText({ parts: [text('one'), text('two')] })).toBe('onetwo');
  expect(readableText({ parts: [text('I look.\n'), call, text('Done.')] })).toBe('I look.\nDone.');
  expect(readableText({ parts: [call, text('Done.'), call] })).toBe('Done.');
});
