// What the migrations after 0.9.0 say to the processes of older versions that go on beside them.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { VERSION } from '@parley/schema/catalog/startup';
import { isOlder, readMark } from '@parley/db/versions';
import { describe, expect, it } from 'vitest';
import { readEntries } from '../../support/upgrades/migrations.ts';
import { breaking } from './breaking.ts';

const folder = join(import.meta.dirname, '../../../db/migrations');
const tags = readEntries(folder).map(({ tag }) => tag);
const cut = JSON.parse(readFileSync(join(folder, 'versions.json'), 'utf8')) as Record<string, string>;
const marked = tags.slice(tags.indexOf(cut['0.9.0'] ?? '') + 1).map((tag) => ({ tag, text: read(tag) }));

describe('a migration after 0.9.0', () => {
  it('says in its first line whether it expands or contracts, and for which version at most this one', () => {
    const wrong = marked.filter(({ text }) => {
      const mark = readMark(text);
      return !mark || isOlder(VERSION, mark.oldest);
    });
    expect(wrong.map(({ tag }) => tag)).toEqual([]);
  });

  it('breaks no older process where it says that it expands', () => {
    const breaks = marked.flatMap(({ tag, text }) =>
      text.startsWith('-- expand') ? breaking(text).map((statement) => `${tag}: ${statement}`) : [],
    );
    expect(breaks).toEqual([]);
  });
});

it('each version that was cut has its last migration, in their order, and is older than this one', () => {
  const versions = Object.keys(cut);
  const last = Object.values(cut).map((tag) => tags.indexOf(tag));
  expect(last).toEqual(last.toSorted((a, b) => a - b));
  expect(last).not.toContain(-1);
  expect(versions.every((version, index) => isOlder(version, versions[index + 1] ?? VERSION))).toBe(true);
});

describe('a mark', () => {
  it.each([
    ['-- expand\nSELECT 1;', { oldest: '0.9.0' }],
    ['-- contract: oldest 0.10.0\r\nSELECT 1;', { oldest: '0.10.0' }],
    ['SELECT 1;', null],
    ['-- expands\nSELECT 1;', null],
    ['-- contract\nSELECT 1;', null],
    ['-- contract: oldest 1.0\nSELECT 1;', null],
    ['\n-- expand\nSELECT 1;', null],
  ])('%j', (text, mark) => {
    expect(readMark(text)).toEqual(mark);
  });
});

describe('of two versions the older is', () => {
  it.each([
    ['0.9.0', '0.10.0'],
    ['0.9.12', '0.10.0'],
    ['0.10.0', '1.0.0'],
    ['0.10.0', '0.10.1'],
    ['0.10.0-rc.1', '0.10.0'],
    ['0.10.0-alpha', '0.10.0-alpha.1'],
    ['0.10.0-alpha.1', '0.10.0-alpha.beta'],
    ['0.10.0-beta.2', '0.10.0-beta.11'],
    ['0.10.0-beta.11', '0.10.0-rc.1'],
    ['0.9.0', '0.10.0-rc.1'],
  ])('%s before %s', (older, newer) => {
    expect([isOlder(older, newer), isOlder(newer, older)]).toEqual([true, false]);
  });

  it.each([
    ['0.10.0', '0.10.0'],
    ['0.10.0-rc.1', '0.10.0-rc.1'],
    ['0.10.0+one', '0.10.0+two'],
  ])('none of %s and %s', (one, other) => {
    expect([isOlder(one, other), isOlder(other, one)]).toEqual([false, false]);
  });
});

describe('what breaks an older process', () => {
  it.each([
    'DROP TABLE "notes" CASCADE;',
    'ALTER TABLE "notes" DROP COLUMN "text";',
    'ALTER TABLE "notes" DROP COLUMN IF EXISTS "text";',
    'DROP INDEX "notes_text";',
    'DROP FUNCTION search_text(jsonb);',
    'ALTER TABLE "notes" DROP CONSTRAINT "notes_text_unique";',
    'ALTER TABLE "notes" DROP CONSTRAINT "notes_user_id_id_pk";',
    'ALTER TABLE "notes" RENAME TO "remarks";',
    'ALTER TABLE "notes" RENAME COLUMN "text" TO "body";',
    'alter table notes\n  rename text to body',
    'ALTER TABLE "notes" ALTER COLUMN "text" SET NOT NULL;',
    'ALTER TABLE "notes" ALTER COLUMN "text" DROP DEFAULT;',
    'ALTER TABLE "notes" ALTER COLUMN "n" SET DATA TYPE smallint;',
    'ALTER TABLE "notes" ALTER COLUMN "text" TYPE varchar(10) USING left(text, 10);',
    'ALTER TABLE "notes" ADD COLUMN "n" integer NOT NULL;',
    'ALTER TABLE "notes" ADD COLUMN "a" integer, ADD COLUMN "n" integer NOT NULL;',
    'CREATE UNIQUE INDEX "notes_text" ON "notes" USING btree ("text");',
    'ALTER TABLE "notes" ADD CONSTRAINT "notes_text_unique" UNIQUE("text");',
    'ALTER TABLE "notes" ADD CONSTRAINT "notes_short" CHECK (length("text") < 10) NOT VALID;',
    'TRUNCATE "notes";',
  ])('%s', (statement) => {
    expect(breaking(`-- expand\n${statement}`)).toHaveLength(1);
  });

  it.each([
    'CREATE TABLE "notes" ("id" uuid NOT NULL, CONSTRAINT "notes_pk" PRIMARY KEY("id"));--> statement-breakpoint\nCREATE UNIQUE INDEX "one" ON "notes" ("id");',
    'ALTER TABLE "notes" ADD COLUMN "n" integer;',
    'ALTER TABLE "notes" ADD COLUMN "n" integer DEFAULT 0 NOT NULL;',
    'ALTER TABLE "notes" ADD COLUMN "n" numeric(10, 2) DEFAULT 0 NOT NULL, ADD COLUMN "words" text GENERATED ALWAYS AS (lower(text)) STORED NOT NULL;',
    'ALTER TABLE "notes" ADD COLUMN "of" uuid;--> statement-breakpoint\nALTER TABLE "notes" ADD CONSTRAINT "notes_of_fk" FOREIGN KEY ("of") REFERENCES "users"("id");',
    'ALTER TABLE "notes" ALTER COLUMN "text" SET DEFAULT \'\';--> statement-breakpoint\nALTER TABLE "notes" ALTER COLUMN "text" SET NOT NULL;',
    'ALTER TABLE "notes" ALTER COLUMN "text" DROP NOT NULL;',
    'ALTER TABLE "notes" ALTER COLUMN "text" SET DATA TYPE text;',
    'ALTER TABLE "notes" DROP CONSTRAINT "notes_short";',
    'CREATE INDEX "notes_text" ON "notes" USING btree ("text");',
    "-- We rename nothing; drop table.\nUPDATE notes SET text = 'drop table notes';",
    'CREATE OR REPLACE FUNCTION f() RETURNS void LANGUAGE plpgsql AS $$ BEGIN DROP TABLE IF EXISTS seen; END $$;',
  ])('not: %s', (text) => {
    expect(breaking(`-- expand\n${text}`)).toEqual([]);
  });
});

function read(tag: string): string {
  return readFileSync(join(folder, `${tag}.sql`), 'utf8');
}
