import { writtenPdf } from './written-pdf.ts';

/** Small genuine files: three pictures of 24 by 16 pixels, encoded by Chromium, and a PDF of one page. */

const png = [
  'iVBORw0KGgoAAAANSUhEUgAAABgAAAAQCAYAAAAMJL+VAAAAW0lEQVR4AcyTwQkAIAhFpR1ao2kas2laoyHq+i4dIv0lCB8R/E8x',
  'zeBIFhzaAbkW80guRUswWjePfEdwun863em/b7BzzbqW4PQG7Kdrai3BzQ/QNbWWgJO99AIAAP///btJPgAAAAZJREFUAwCAM+bB',
  'mVEg0AAAAABJRU5ErkJggg==',
].join('');

const jpeg = [
  '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDABALDA4MChAODQ4SERATGCgaGBYWGDEjJR0oOjM9PDkzODdASFxOQERXRTc4UG1RV19i',
  'Z2hnPk1xeXBkeFxlZ2P/2wBDARESEhgVGC8aGi9jQjhCY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2Nj',
  'Y2NjY2NjY2P/wAARCAAQABgDASIAAhEBAxEB/8QAFwABAQEBAAAAAAAAAAAAAAAABAAFBv/EACMQAAEDAwQCAwAAAAAAAAAAAAIB',
  'BBEAAwUSExQhQVEVMeH/xAAWAQEBAQAAAAAAAAAAAAAAAAABAgP/xAAWEQEBAQAAAAAAAAAAAAAAAAAAARH/2gAMAwEAAhEDEQA/',
  'AOpyz522dCDd1i7IKCKou7iicyvaR4/aEGUylwxAH2AIyWBEbxKqr6Tum5Zi7cuhNu1xd4EBEUndtSOZXpI8ftCDF5S2YmDHACYr',
  'IkNkkVF9p1Qzu61GHy+8vyHB2tPWxr1apT34iaqS05PGDm7W/wB6tmdP31E9/UVUrj//2Q==',
].join('');

const webp = [
  'UklGRpgAAABXRUJQVlA4IIwAAAAwBACdASoYABAAPtFYpkwoJSOiMAgBABoJQAqP3Ews3hvlnt6Td6HtIgAA/vP6MaDNADQDoGj5',
  '54fhuebIgEFjObLDBCIgL+A2wS42ZXGvxFK1sZoqKtQEoQo5Hl6IKlJsd8yfnrroXC/CeXjeB/0ppopE8ptCj0TT2tag83CM6y2z',
  '2wQGoIvXzgAAAA==',
].join('');

/** A valid PNG. */
export function samplePng(): Buffer {
  return Buffer.from(png, 'base64');
}

/** A valid JPEG. */
export function sampleJpeg(): Buffer {
  return Buffer.from(jpeg, 'base64');
}

/** A valid WebP. */
export function sampleWebp(): Buffer {
  return Buffer.from(webp, 'base64');
}

/** A valid PDF. */
export function samplePdf(text = 'A sample document'): Buffer {
  return writtenPdf(text);
}
