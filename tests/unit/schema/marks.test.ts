import { modelMarks, modelPurpose } from '@parley/schema/catalog/marks';
import { describe, expect, test } from 'vitest';

describe('the marks of a model', () => {
  test.each([
    ['openAI', 'gpt-3.5-turbo', { seesImages: false, usesTools: true, thinks: false, price: 1 }],
    ['openAI', 'gpt-4o', { seesImages: true, usesTools: true, thinks: false, price: 2 }],
    ['openAI', 'gpt-3.5-turbo-instruct', { usesTools: false }],
    ['openAI', 'gpt-5', { seesImages: true, thinks: true, price: 2 }],
    ['anthropic', 'claude-3-opus', { seesImages: true, thinks: false, price: 3 }],
    ['anthropic', 'claude-sonnet-4-5', { thinks: true, price: 2 }],
    ['google', 'gemini-2.5-flash', { thinks: true, price: 1 }],
    ['google', 'chat-bison', { seesImages: false, usesTools: false, thinks: false, price: null }],
    ['custom', 'deepseek-r1', { thinks: true, price: null }],
    ['custom', 'an-unknown-model', { seesImages: false, thinks: false, price: null }],
  ] as const)('of %s %s', (type, model, marks) => {
    expect(modelMarks(type, model)).toMatchObject(marks);
  });
});

test.each([
  ['gpt-3.5-turbo', 'older'],
  ['gpt-4', 'older'],
  ['gpt-4o', 'everyday'],
  ['gpt-4o-mini', 'fast'],
  ['gpt-5', 'hard'],
  ['gpt-5-mini', 'fast'],
  ['gpt-5-codex', 'code'],
  ['openai/o3', 'hard'],
  ['claude-2', 'older'],
  ['claude-3-opus', 'hard'],
  ['claude-sonnet-4-5', 'everyday'],
  ['claude-haiku-4-5', 'fast'],
  ['gemini-1.5-pro', 'older'],
  ['gemini-2.5-pro', 'hard'],
  ['gemini-2.5-flash', 'everyday'],
  ['gemini-2.5-flash-lite', 'fast'],
  ['mistral-large-latest', 'hard'],
  ['codestral-latest', 'code'],
  ['sonar-pro', 'web'],
  ['llama-3-70b', undefined],
  ['llama-3-8b', 'fast'],
  ['my-model', undefined],
])('%s is for %s', (model, purpose) => {
  expect(modelPurpose(model)).toBe(purpose);
});
