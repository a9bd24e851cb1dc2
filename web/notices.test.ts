import { describe, expect, it } from 'vitest';
import { failures } from '#contract/errors.ts';
import { notices } from './notices.ts';

const LITERAL = 'Document not saved. Make sure it is a picture of the document or a pdf';

describe('the toast of a failed upload', () => {
  it.each(['FILE_TOO_LARGE', 'FILE_LOCKED', 'STORAGE_FULL', 'UNAVAILABLE', 'INTERNAL'] as const)(
    'keeps the specification’s sentence and adds the reason of %s',
    (code) => {
      expect(notices.documentNotUploaded(failures[code].msg).message).toBe(`${LITERAL}. ${failures[code].msg}`);
    },
  );

  it('says the sentence once where it is the reason', () => {
    expect(notices.documentNotUploaded(failures.FILE_TYPE.msg).message).toBe(LITERAL);
  });
});
