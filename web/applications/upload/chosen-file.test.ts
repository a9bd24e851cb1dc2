import { describe, expect, it } from 'vitest';
import { failures } from '#contract/errors.ts';
import { formatFileSize, refuseFile } from './chosen-file.ts';

const MB = 1024 * 1024;

describe('a chosen file', () => {
  it.each([
    ['scan.png', 'image/png'],
    ['scan.JPG', ''],
    ['scan.jpeg', 'image/jpeg'],
    ['scan.webp', 'image/webp'],
    ['scan.pdf', 'application/pdf'],
    // Some phones give a file name without an extension.
    ['1000012345', 'image/jpeg'],
  ])('%s (%s) may be uploaded', (name, type) => {
    expect(refuseFile({ name, type, size: 10 * MB })).toBeUndefined();
  });

  it.each([
    ['notes.txt', 'text/plain', 5, 'Document not saved. Make sure it is a picture of the document or a pdf'],
    ['scan.heic', 'image/heic', 5, failures.FILE_HEIC.msg],
    ['IMG_0001.HEIC', '', 5, failures.FILE_HEIC.msg],
    ['pdf', '', 5, 'Document not saved. Make sure it is a picture of the document or a pdf'],
    ['scan.pdf', 'application/pdf', 0, 'The file is empty'],
    ['scan.pdf', 'application/pdf', 10 * MB + 1, 'The file is larger than 10 MB'],
  ])('%s (%s, %d bytes): %s', (name, type, size, refusal) => {
    expect(refuseFile({ name, type, size })).toBe(refusal);
  });

  it.each([
    [1, '1 KB'],
    [240 * 1024, '240 KB'],
    [1.4 * MB, '1.4 MB'],
    [10 * MB, '10.0 MB'],
  ])('%d bytes are %s', (bytes, text) => {
    expect(formatFileSize(bytes)).toBe(text);
  });
});
