import { afterEach, expect, it } from 'vitest';
import { removeStored, storageKeys } from '#web/platform/storage/storage.ts';
import { readAnswer, storeAnswer } from './kept-answer.ts';

const slot = (userTag: string, requestTag = 'a request') => ({ userTag, requestTag });

afterEach(() => removeStored(storageKeys.unsentAnswer));

it('the device keeps the latest text of an answer to each request until it is sent', () => {
  storeAnswer(slot('Sarah'), 'To the');
  storeAnswer(slot('Sarah'), 'To the account in the statement.');
  storeAnswer(slot('Sarah', 'another'), 'Yes.');
  expect(readAnswer(slot('Sarah'))).toBe('To the account in the statement.');
  storeAnswer(slot('Sarah'), '');
  expect([readAnswer(slot('Sarah')), readAnswer(slot('Sarah', 'another'))]).toEqual(['', 'Yes.']);
});

it('the device shows an answer to nobody else, and keeps it while they type', () => {
  storeAnswer(slot('Sarah'), 'To the account in the statement.');
  expect(readAnswer(slot('Moses'))).toBe('');
  storeAnswer(slot('Moses'), 'No.');
  expect([readAnswer(slot('Sarah')), readAnswer(slot('Moses'))]).toEqual(['To the account in the statement.', 'No.']);
});

it('the device keeps the newest ten answers', () => {
  for (let request = 0; request < 11; request += 1) storeAnswer(slot('Sarah', `${request}`), `${request}`);
  expect([readAnswer(slot('Sarah', '0')), readAnswer(slot('Sarah', '1')), readAnswer(slot('Sarah', '10'))]).toEqual([
    '',
    '1',
    '10',
  ]);
});
