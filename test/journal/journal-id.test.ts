import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { isJournalId, journalIds, newJournalId } from '../../src/journal/journal-file.ts';
import { temporaryFolder } from '../helpers/paths.ts';

it('journals sort in the order in which they were made, also within one second', () => {
  const folder = temporaryFolder();
  const now = Date.parse('2026-11-30T17:58:03.000Z');
  const made: string[] = [];
  for (let i = 0; i < 20; i++) {
    const id = newJournalId(folder, now + i * 40);
    expect(isJournalId(id)).toBe(true);
    mkdirSync(join(folder, id));
    made.push(id);
  }
  made.push(newJournalId(folder, now + 1000));
  expect(made.toSorted()).toEqual(made);
  expect(journalIds(folder)).toEqual(made.slice(0, 20));
});
