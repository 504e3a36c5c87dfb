// @vitest-environment happy-dom
import { describe, expect, test } from 'vitest';
import { chooseLanguage, i18n } from '../../../../web/src/i18n.ts';
import { startEnglish } from '../start-english.ts';
import { isPressed, shownKeys, SHORTCUTS } from '../../../../web/src/layout/shortcuts.ts';

function press(init: KeyboardEventInit): string[] {
  const event = new KeyboardEvent('keydown', init);
  return Object.entries(SHORTCUTS).flatMap(([name, keys]) => (isPressed(event, keys) ? [name] : []));
}

describe('a shortcut', () => {
  test.each<[KeyboardEventInit, string[]]>([
    [{ key: 'k', ctrlKey: true }, ['palette']],
    [{ key: 'k', metaKey: true }, ['palette']],
    [{ key: 'K', ctrlKey: true, shiftKey: true }, []],
    [{ key: 'k', ctrlKey: true, altKey: true }, []],
    [{ key: 'k' }, []],
    [{ key: 'O', ctrlKey: true, shiftKey: true }, ['newChat']],
    [{ key: 'o', ctrlKey: true }, []],
    [{ key: '/', ctrlKey: true }, ['shortcuts']],
    [{ key: 'z', ctrlKey: true }, ['undo']],
    [{ key: 'Z', ctrlKey: true, shiftKey: true }, []],
    [{ key: 'F8' }, ['notice']],
    [{ key: 'Escape', shiftKey: true }, ['composer']],
    [{ key: 'Escape' }, []],
    [{ key: 'C', code: 'KeyC', ctrlKey: true, shiftKey: true }, ['copyAnswer']],
    [{ key: 'c', code: 'KeyC', ctrlKey: true }, []],
    [{ key: ':', code: 'Semicolon', ctrlKey: true, shiftKey: true }, ['copyCode']],
    [{ key: 'Backspace', code: 'Backspace', metaKey: true, shiftKey: true }, ['removeChat']],
    [{ key: 'M', code: 'KeyM', ctrlKey: true, shiftKey: true }, ['models']],
    [{ key: ',', code: 'Comma', ctrlKey: true }, ['settings']],
    [{ key: '"', code: 'Quote', ctrlKey: true, shiftKey: true }, ['temporary']],
  ])('%j is %j', (init, names) => {
    expect(press(init)).toEqual(names);
  });

  test('is recognized by its position on a keyboard of another script', () => {
    expect(press({ key: 'л', code: 'KeyK', ctrlKey: true })).toEqual(['palette']);
    expect(press({ key: 't', code: 'KeyK', ctrlKey: true })).toEqual([]);
  });

  test('is recognized when its character is on the second level of a key', () => {
    expect(press({ key: '/', code: 'Digit7', ctrlKey: true, shiftKey: true })).toEqual(['shortcuts']);
  });

  test('is ignored while an input method composes', () => {
    expect(press({ key: 'k', ctrlKey: true, isComposing: true })).toEqual([]);
  });

  test('is written as on the keyboard', async () => {
    await startEnglish();
    expect(shownKeys(SHORTCUTS.newChat, i18n.t)).toBe('Ctrl Shift O');
    await chooseLanguage('de-DE');
    expect(shownKeys(SHORTCUTS.newChat, i18n.t)).toBe('Strg Umschalt O');
    await chooseLanguage('auto');
  });
});
