// @vitest-environment happy-dom
import { beforeEach, describe, expect, test } from 'vitest';
import { boundKeys, readKeys, writeKeys } from '../../../../web/src/layout/bound-keys.ts';
import { isPressed, SHORTCUT_NAMES, SHORTCUTS } from '../../../../web/src/layout/shortcuts.ts';
import { findConflict, keysProblem, readPress } from '../../../../web/src/settings/keyboard/record-keys.ts';
import { writeSetting } from '../../../../web/src/stored-settings.ts';

beforeEach(() => {
  writeSetting('shortcuts', 'usual');
  writeSetting('hasShortcuts', true);
});

const press = (init: KeyboardEventInit) => new KeyboardEvent('keydown', init);

describe('the keys that a person has set', () => {
  test('are read as they were written, and only those that are not as usual are kept', () => {
    const keys = { ...SHORTCUTS, newChat: ['mod', 'alt', 'N'], sidebar: [], copyCode: ['mod', 'shift', '='] };
    const text = writeKeys(keys);
    expect(text).toBe('newChat=mod+alt+N sidebar= copyCode=mod+shift+=');
    expect(readKeys(text)).toEqual(keys);
    expect(writeKeys(SHORTCUTS)).toBe('usual');
  });

  test.each(['', 'usual', 'nobodyKnows=mod+X', '===', 'newChat'])('%j is as usual', (text) => {
    expect(readKeys(text)).toEqual(SHORTCUTS);
  });

  test('act in place of the usual ones, until all are switched off', () => {
    writeSetting('shortcuts', 'newChat=mod+shift+Y sidebar=');
    expect(isPressed(press({ key: 'Y', ctrlKey: true, shiftKey: true }), boundKeys('newChat'))).toBe(true);
    expect(isPressed(press({ key: 'O', ctrlKey: true, shiftKey: true }), boundKeys('newChat'))).toBe(false);
    expect(isPressed(press({ key: 'S', ctrlKey: true, shiftKey: true }), boundKeys('sidebar'))).toBe(false);
    writeSetting('hasShortcuts', false);
    expect(SHORTCUT_NAMES.flatMap((name) => boundKeys(name))).toEqual([]);
  });
});

describe('new keys', () => {
  test.each<[KeyboardEventInit, readonly string[] | null]>([
    [{ key: 'Shift', shiftKey: true }, null],
    [{ key: 'y', code: 'KeyY', ctrlKey: true }, ['mod', 'Y']],
    [{ key: 'н', code: 'KeyY', ctrlKey: true }, ['mod', 'Y']],
    [{ key: ':', code: 'Semicolon', metaKey: true, shiftKey: true }, ['mod', 'shift', ';']],
    [{ key: '!', code: 'Digit1', ctrlKey: true, shiftKey: true }, ['mod', 'shift', '1']],
    [{ key: 'F9', code: 'F9' }, ['F9']],
    [{ key: ' ', code: 'Space', ctrlKey: true, shiftKey: true }, ['mod', 'shift', 'Space']],
  ])('%j is read as %j, and is recognised afterwards', (init, keys) => {
    expect(readPress(press(init))).toEqual(keys);
    if (keys) expect(isPressed(press(init), keys)).toBe(true);
  });

  test.each<[string[], string | null]>([
    [['mod', 'T'], 'com_shortcuts_reserved'],
    [['mod', 'shift', 'N'], 'com_shortcuts_reserved'],
    [['mod', 'V'], 'com_shortcuts_reserved'],
    [['F5'], 'com_shortcuts_reserved'],
    [['A'], 'com_shortcuts_alone'],
    [['shift', 'A'], 'com_shortcuts_alone'],
    [['mod', 'shift', 'Y'], null],
    [['alt', 'N'], null],
    [['F9'], null],
  ])('%j are taken, or refused with a sentence', (keys, problem) => {
    expect(keysProblem(keys, 'newChat')).toBe(problem);
  });

  test('the usual keys of a shortcut are always taken', () => {
    expect(SHORTCUT_NAMES.filter((name) => keysProblem(SHORTCUTS[name], name) !== null)).toEqual([]);
  });

  test('a shortcut that has them already is found', () => {
    expect(findConflict(['mod', 'K'], 'newChat', SHORTCUTS)).toBe('palette');
    expect(findConflict(['mod', 'K'], 'palette', SHORTCUTS)).toBeUndefined();
    expect(findConflict(['mod', 'shift', 'Y'], 'palette', SHORTCUTS)).toBeUndefined();
  });
});
