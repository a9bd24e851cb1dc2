import type { HostileFile } from './hostile-file.ts';
import { classicPdf, packedPdf, plainObjects } from './pdf-writer.ts';
import { activeObjects } from './pdfs.ts';
import { runQpdf } from './stored-pdf.ts';

const locks = {
  'with RC4': ['--allow-weak-crypto', '--encrypt', '', 'owner', '128', '--'],
  'with AES, in streams of objects': ['--object-streams=generate', '--encrypt', '', 'owner', '256', '--'],
} as const;

/** Active content in PDFs that are encrypted but open without a password. */
export async function lockedPdfs(chosen = Object.keys(activeObjects)): Promise<HostileFile[]> {
  const found: HostileFile[] = [];
  for (const what of chosen) {
    for (const [how, args] of Object.entries(locks)) {
      const content = await runQpdf(classicPdf(activeObjects[what] ?? {}), args);
      const name = `pdf: ${what}, locked against changes ${how}`;
      found.push({ name, fileName: 'invoice.pdf', type: 'application/pdf', content, expected: 'rewritten' });
    }
  }
  return found;
}

/** 13 MB in a stream of 65,542 objects: refused before they are unpacked (docs/decisions/0016). */
export function pdfsOfManyObjects(): HostileFile[] {
  const many = Object.fromEntries(
    Array.from({ length: 65_536 }, (_, index) => [
      100 + index,
      `<< /S /TD /P 6 0 R /Alt (${String(index).repeat(30)}) >>`,
    ]),
  );
  const kids = Object.keys(many).map((number) => `${number} 0 R`);
  const objects = plainObjects({
    catalog: '/StructTreeRoot 6 0 R',
    objects: { 6: `<< /Type /StructTreeRoot /K [${kids.join(' ')}] >>`, ...many },
  });
  const content = packedPdf(objects, { number: 70_000 });
  return [
    { name: 'pdf: 65,542 objects', fileName: 'a.pdf', type: 'application/pdf', content, expected: 'FILE_TOO_COMPLEX' },
  ];
}
