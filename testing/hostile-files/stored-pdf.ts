import { createRequire } from 'node:module';
import createModule from '@neslinesli93/qpdf-wasm';
import { getDocument } from 'unpdf/pdfjs';
import { z } from 'zod';

/** Stored PDFs as seen by two readers that took no part in writing them: qpdf and pdf.js. */

const wasm = createRequire(import.meta.url)
  .resolve('@neslinesli93/qpdf-wasm')
  .replace(/\.js$/, '.wasm');
const qpdfJson = z.object({ qpdf: z.tuple([z.unknown(), z.record(z.string(), z.unknown())]) });

/** Runs qpdf on a file and returns the result; throws if it fails. */
export async function runQpdf(content: Buffer, args: readonly string[]): Promise<Buffer> {
  const qpdf = await createModule({ locateFile: () => wasm });
  // Its types leave out functions that its documentation shows.
  const files = qpdf.FS as typeof qpdf.FS & { writeFile(path: string, content: Uint8Array): void };
  files.writeFile('/in', content);
  const status = qpdf.callMain([...args, '/in', '/out']);
  const WARNED = 3;
  if (status !== 0 && status !== WARNED) throw new Error(`qpdf ${args.join(' ')} ended with ${status}`);
  return Buffer.from(qpdf.FS.readFile('/out'));
}

/** Keys and kinds that no stored file may have in any object, whether referenced or not. */
const activeKeys = new Set(
  '/AA /AF /EF /JS /JavaScript /OpenAction /EmbeddedFiles /XFA /URI /RichMediaContent /Movie /Sound /OnInstantiate /3DD /Next'.split(
    ' ',
  ),
);
const activeKinds = new Set(
  '/JavaScript /Launch /URI /SubmitForm /ImportData /GoToR /GoToE /Rendition /Movie /Sound /RichMediaExecute /Named'.split(
    ' ',
  ),
);

/** The active content of a PDF, from qpdf's list of all its objects: keys, and kinds of actions and annotations. */
export async function activeParts(content: Buffer): Promise<string[]> {
  const listed = await runQpdf(content, ['--json-output', '--json-stream-data=none']);
  const [, objects] = qpdfJson.parse(JSON.parse(listed.toString())).qpdf;
  const found: string[] = [];
  const look = (value: unknown): void => {
    if (Array.isArray(value)) for (const item of value) look(item);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
    for (const [key, item] of Object.entries(value)) {
      const isJump = key === '/OpenAction' && isPlainJump(item, objects);
      const isOutline = key === '/Next' && '/Title' in value;
      if (activeKeys.has(key) && !isJump && !isOutline) found.push(key);
      if ((key === '/S' || key === '/Subtype') && typeof item === 'string' && activeKinds.has(item)) found.push(item);
      if (key === '/Type' && (item === '/EmbeddedFile' || item === '/Filespec')) found.push(item);
      look(item);
    }
  };
  look(objects);
  return found;
}

function isPlainJump(item: unknown, objects: Readonly<Record<string, unknown>>): boolean {
  const found = typeof item === 'string' ? z.object({ value: z.unknown() }).parse(objects[`obj:${item}`]).value : item;
  return (
    Array.isArray(found) || (typeof found === 'object' && found !== null && '/S' in found && found['/S'] === '/GoTo')
  );
}

/** The text of every page, read by pdf.js. */
export async function pageTexts(content: Buffer): Promise<string[]> {
  const opening = getDocument({ data: new Uint8Array(content), verbosity: 0, disableFontFace: true });
  try {
    const document = await opening.promise;
    const texts: string[] = [];
    for (let number = 1; number <= document.numPages; number += 1) {
      const { items } = await (await document.getPage(number)).getTextContent();
      texts.push(items.map((item) => ('str' in item ? item.str : '')).join(''));
    }
    return texts;
  } finally {
    await opening.destroy();
  }
}
