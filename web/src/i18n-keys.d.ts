// Makes a misspelt key a type error. Each room's sentences live in a file of their own.
import type auth from './locales/en-US/auth.json';
import type chat from './locales/en-US/chat.json';
import type common from './locales/en-US/common.json';
import type content from './locales/en-US/content.json';
import type context from './locales/en-US/context.json';
import type endpoints from './locales/en-US/endpoints.json';
import type exporting from './locales/en-US/export.json';
import type palette from './locales/en-US/palette.json';
import type reasons from './locales/en-US/reasons.json';
import type search from './locales/en-US/search.json';
import type shell from './locales/en-US/shell.json';

declare module 'i18next' {
  interface CustomTypeOptions {
    resources: {
      translation: typeof auth &
        typeof common &
        typeof chat &
        typeof content &
        typeof context &
        typeof endpoints &
        typeof exporting &
        typeof palette &
        typeof reasons &
        typeof search &
        typeof shell;
    };
  }
}
