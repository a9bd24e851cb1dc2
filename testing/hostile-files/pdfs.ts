import type { Expected, HostileFile } from './hostile-file.ts';
import { CANARY, page, svg, zipOf } from './payloads.ts';
import { buriedPdf, classicPdf, type PdfObjects, packedPdf, plainObjects, updatedPdf } from './pdf-writer.ts';

/**
 * PDFs with active content, each hidden in several ways, PDFs that are also another format, and PDFs that must be
 * accepted.
 */

const SCRIPT = `<< /Type /Action /S /JavaScript /JS (app.alert\\('${CANARY}'\\);this.submitForm\\('http://127.0.0.1/'\\)) >>`;

function annotation(subtype: string, more: string): { page: string; objects: PdfObjects } {
  return {
    page: '/Annots [6 0 R]',
    objects: { 6: `<< /Type /Annot /Subtype /${subtype} /Rect [0 0 595 842] ${more} >>` },
  };
}

const attachment = '<< /Type /EmbeddedFile /Length 5 >>\nstream\nhello\nendstream';

export const activeObjects: Readonly<Record<string, PdfObjects>> = {
  'a script on opening': plainObjects({ catalog: `/OpenAction ${SCRIPT}` }),
  'a script on opening, by reference': plainObjects({ catalog: '/OpenAction 6 0 R', objects: { 6: SCRIPT } }),
  'a script after a jump': plainObjects({ catalog: `/OpenAction << /S /GoTo /D [3 0 R /Fit] /Next ${SCRIPT} >>` }),
  'a script by name': plainObjects({
    catalog: `/Names << /JavaScript << /Names [(a) 6 0 R] >> >>`,
    objects: { 6: SCRIPT },
  }),
  'a script whose kind lies elsewhere': plainObjects({
    catalog: '/OpenAction << /S 6 0 R /JS 7 0 R >>',
    objects: { 6: '/JavaScript', 7: `(app.alert\\('${CANARY}'\\))` },
  }),
  'a script before closing': plainObjects({ catalog: `/AA << /WC ${SCRIPT} >>` }),
  'a script of the page': plainObjects({ page: `/AA << /O ${SCRIPT} >>` }),
  'an address asked for by the page': plainObjects({ page: '/AA << /O << /S /URI /URI (http://127.0.0.1/) >> >>' }),
  'an address asked for on opening': plainObjects({ catalog: '/OpenAction << /S /URI /URI (http://127.0.0.1/) >>' }),
  'a script behind a link': plainObjects(annotation('Link', `/A ${SCRIPT}`)),
  'a script as an address': plainObjects(
    annotation('Link', `/A << /S /URI /URI (JavaScript:alert\\('${CANARY}'\\)) >>`),
  ),
  'a program started': plainObjects({ catalog: '/OpenAction << /S /Launch /F (cmd.exe) >>' }),
  'a program behind a link': plainObjects(annotation('Link', '/A << /S /Launch /Win << /F (calc.exe) >> >>')),
  'a form that sends': plainObjects(
    annotation('Widget', '/FT /Btn /T (b) /A << /S /SubmitForm /F (http://127.0.0.1/) >>'),
  ),
  'data fetched': plainObjects(annotation('Link', '/A << /S /ImportData /F (data.fdf) >>')),
  'another file opened': plainObjects(annotation('Link', '/A << /S /GoToR /F (\\\\\\\\host\\\\share) /D [0 /Fit] >>')),
  'an attached file opened': plainObjects(annotation('Link', '/A << /S /GoToE /T << /R /C /N (a) >> >>')),
  'an attachment': plainObjects({
    catalog: '/Names << /EmbeddedFiles << /Names [(a.html) 6 0 R] >> >>',
    objects: { 6: '<< /Type /Filespec /F (a.html) /EF << /F 7 0 R >> >>', 7: attachment },
  }),
  'an attachment on the page': plainObjects(annotation('FileAttachment', '/FS << /F (a.html) /EF << /F 7 0 R >> >>')),
  'an attachment that is not called one': plainObjects({
    catalog: '/AF [6 0 R]',
    objects: { 6: '<< /F (a.html) /EF << /F 7 0 R >> >>', 7: attachment.replace('/Type /EmbeddedFile', '') },
  }),
  'rich media': plainObjects(annotation('RichMedia', '/RichMediaContent << >>')),
  'a form in XML': plainObjects({
    catalog: '/AcroForm << /Fields [] /XFA [(template) 6 0 R] >>',
    objects: { 6: '<< >>' },
  }),
  'a rendition with a script': plainObjects({
    catalog: `/OpenAction << /S /Rendition /OP 0 /JS (app.alert\\('${CANARY}'\\)) >>`,
  }),
  'a chain of actions': plainObjects(
    annotation('Link', `/A << /S /GoTo /D [3 0 R /Fit] /Next [<< /S /Named /N /NextPage /Next ${SCRIPT} >>] >>`),
  ),
  'a script in a tree of names': plainObjects({
    catalog: '/Names << /JavaScript << /Kids [6 0 R] >> >>',
    objects: { 6: '<< /Limits [(a) (a)] /Kids [7 0 R] >>', 7: `<< /Limits [(a) (a)] /Names [(a) 8 0 R] >>`, 8: SCRIPT },
  }),
  'a script behind a bookmark': plainObjects({
    catalog: '/Outlines 6 0 R',
    objects: { 6: '<< /First 7 0 R /Last 7 0 R >>', 7: `<< /Title (a) /Parent 6 0 R /A ${SCRIPT} >>` },
  }),
  'a script of a field in another’s kids': plainObjects({
    catalog: '/AcroForm << /Fields [6 0 R] >>',
    objects: { 6: '<< /T (a) /FT /Tx /Kids [7 0 R] >>', 7: `<< /T (b) /Parent 6 0 R /AA << /K 8 0 R >> >>`, 8: SCRIPT },
  }),
  'a script in an annotation that only the structure knows': plainObjects({
    catalog: '/StructTreeRoot 6 0 R',
    objects: {
      6: '<< /Type /StructTreeRoot /K << /S /Link /P 6 0 R /K << /Type /OBJR /Obj 7 0 R >> >> >>',
      7: `<< /Subtype /Link /Rect [0 0 9 9] /A ${SCRIPT} >>`,
    },
  }),
  'a script reached as a font and as an action': plainObjects({
    catalog: '/OpenAction 6 0 R',
    page: '/Resources << /Font 6 0 R >>',
    objects: { 6: SCRIPT },
  }),
  'a sound': plainObjects(annotation('Sound', '/Sound 7 0 R')),
  'a film': plainObjects(annotation('Movie', '/Movie << /F (film.mp4) >>')),
};

/** Writes every letter of every name as its character code. */
function escaped(objects: PdfObjects): PdfObjects {
  const asNumbers = (name: string) =>
    `/${Array.from(name, (letter) => `#${letter.charCodeAt(0).toString(16)}`).join('')}`;
  const changed = Object.entries(objects).map(([number, object]) => [
    number,
    Number(number) === 4
      ? object
      : object.replaceAll(/\/([A-Za-z]+)(?=[ \n(<[/])/g, (_, name: string) => asNumbers(name)),
  ]);
  return Object.fromEntries(changed);
}

const hidings: Readonly<Record<string, (objects: PdfObjects) => Buffer>> = {
  'in plain sight': (objects) => classicPdf(objects),
  'with its names escaped': (objects) => classicPdf(escaped(objects)),
  'in a stream of objects': (objects) => packedPdf(objects),
  'escaped in a stream of objects': (objects) => packedPdf(escaped(objects)),
  'in an earlier version': (objects) => updatedPdf(objects, plainObjects()),
  'in an update': (objects) => updatedPdf(plainObjects(), objects),
};

function file(name: string, content: Buffer, expected: Expected, fileName = 'invoice.pdf'): HostileFile {
  return { name: `pdf: ${name}`, fileName, type: 'application/pdf', content, expected };
}

/** Every kind of active content in a PDF, hidden in every way. */
export function activePdfs(): HostileFile[] {
  return Object.entries(activeObjects).flatMap(([what, objects]) =>
    Object.entries(hidings).map(([how, write]) => file(`${what}, ${how}`, write(objects), 'rewritten')),
  );
}

/** Ways to hide content that concern the file as a whole. */
export function hidingPdfs(): HostileFile[] {
  const active = plainObjects({ catalog: `/OpenAction ${SCRIPT}` });
  const locked =
    '/Encrypt << /Filter /Standard /V 1 /R 2 /O (oooooooooooooooooooooooooooooooo) /U (uuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuu) /P -4 >> /ID [(a) (a)]';
  return [
    file('a catalog inside of a picture', buriedPdf(active, plainObjects()), 'rewritten'),
    file('a stream of objects without its type', packedPdf(active, { type: '' }), 'FILE_TOO_COMPLEX'),
    file('a stream of objects with another type', packedPdf(active, { type: '/Type /XObject' }), 'FILE_TOO_COMPLEX'),
    file(
      'a stream of objects that says it ends early',
      packedPdf({ ...active, 8: '(endstream endobj)' }, { level: 0 }),
      'rewritten',
    ),
    file(
      'a stream of objects packed twice',
      packedPdf(active, { more: '/Filter [/ASCIIHexDecode /FlateDecode]' }),
      'FILE_BROKEN',
    ),
    file(
      'a stream of objects with a predictor',
      packedPdf(active, { more: '/DecodeParms << /Predictor 12 /Columns 4 >>' }),
      'rewritten',
    ),
    file('a header of an object with comments', commented(classicPdf(active)), 'rewritten'),
    file(
      'a value behind a long comment',
      classicPdf(plainObjects({ page: `/AA %${'x'.repeat(3000)}\n<< /O << /S /URI /URI (http://127.0.0.1/) >> >>` })),
      'rewritten',
    ),
    file('locked', classicPdf(plainObjects(), { trailer: locked }), 'FILE_LOCKED'),
    file('locked and packed', packedPdf(plainObjects(), { trailer: locked }), 'FILE_LOCKED'),
    file(
      'locked with its name escaped',
      classicPdf(plainObjects(), { trailer: locked.replace('/Encrypt', '/#45ncrypt') }),
      'FILE_LOCKED',
    ),
  ];
}

function commented(pdf: Buffer): Buffer {
  return Buffer.from(pdf.toString('latin1').replace('1 0 obj', '1%a\n0%b\nobj'), 'latin1');
}

/** PDFs that are also another format, and PDFs that try to exhaust memory or time. */
export function brokenPdfs(): HostileFile[] {
  const plain = classicPdf(plainObjects());
  const archive = zipOf('a.html', page);
  const end = Buffer.from('%%EOF\n');
  const archiveWithEnd = Buffer.concat([archive, end]);
  archiveWithEnd.writeUInt16LE(end.length, archive.length - 2); // the end as the archive's comment
  const after = (content: Buffer | string) => Buffer.concat([plain, Buffer.from(content)]);
  return [
    file('a page before it', Buffer.concat([page, plain]), 'rewritten', 'invoice.html'),
    file('a line before it', Buffer.concat([Buffer.from('\n'), plain]), 'rewritten'),
    file('a page after it', after(page), 'rewritten', 'invoice.html'),
    file('a page after it, as a comment', after(`%${page.toString()}\n`), 'rewritten'),
    file('a drawing after it', after(svg), 'rewritten', 'invoice.svg'),
    file('an archive after it', after(archive), 'rewritten', 'invoice.zip'),
    file('an archive around its end', Buffer.concat([plain, archiveWithEnd]), 'rewritten', 'invoice.jar'),
    file('a page in its head', classicPdf(plainObjects(), { head: `%PDF-1.7\n%${page.toString()}\n` }), 'rewritten'),
    file(
      'php in its head',
      classicPdf(plainObjects(), { head: '%PDF-1.7\n%<?php phpinfo();\n' }),
      'rewritten',
      'invoice.php',
    ),
    file('a shell script in its head', Buffer.concat([Buffer.from('#!/bin/sh\n'), plain]), 'rewritten'),
    file('no version', Buffer.concat([Buffer.from('%PDF-x\n'), plain.subarray(9)]), 'FILE_TYPE'),
    file(
      'no page',
      classicPdf({ 1: '<< /Type /Catalog /Pages 2 0 R >>', 2: '<< /Type /Pages /Kids [] /Count 0 >>' }),
      'FILE_BROKEN',
    ),
    file('no object', Buffer.from('%PDF-1.7\n%%EOF\n'), 'FILE_BROKEN'),
    file('noise', Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(5000, 'noise \x01'), end]), 'FILE_BROKEN'),
    file('cut off', plain.subarray(0, -60), 'rewritten'),
    file(
      'objects that unpack to 100 MB',
      packedPdf(plainObjects(), { padding: Buffer.alloc(100_000_000, ' ') }),
      'FILE_TOO_COMPLEX',
    ),
    file(
      'values nested a million times',
      classicPdf(plainObjects({ objects: { 6: '['.repeat(1_000_000) } })),
      'rewritten',
    ),
    file(
      'dictionaries nested without an end',
      classicPdf(plainObjects({ objects: { 6: '<</A '.repeat(500_000) } })),
      'rewritten',
    ),
    file(
      'objects that begin within each other',
      classicPdf(plainObjects({ objects: { 6: 'obj('.repeat(500_000) } })),
      'rewritten',
    ),
    file(
      'pages in a circle',
      classicPdf({ ...plainObjects(), 2: '<< /Type /Pages /Kids [2 0 R] /Count 1 >>' }),
      'FILE_BROKEN',
    ),
  ];
}

/** PDFs from ordinary programs must pass; otherwise the other tests would be easy. */
export function honestPdfs(): HostileFile[] {
  const text = '(About /JavaScriptless work, sounds and a launch) Tj';
  return [
    file('rewritten', classicPdf(plainObjects()), 'rewritten', 'page.html'),
    file('plain and packed', packedPdf(plainObjects()), 'rewritten'),
    file('plain and updated', updatedPdf(plainObjects(), plainObjects()), 'rewritten'),
    file('opens at a page', classicPdf(plainObjects({ catalog: '/OpenAction [3 0 R /FitH null]' })), 'rewritten'),
    file(
      'opens at a page by an action',
      classicPdf(plainObjects({ catalog: '/OpenAction 6 0 R', objects: { 6: '<< /S /GoTo /D [3 0 R /Fit] >>' } })),
      'rewritten',
    ),
    file(
      'opens at a page, packed',
      packedPdf(plainObjects({ catalog: '/OpenAction 6 0 R', objects: { 6: '<< /S /GoTo /D [3 0 R /Fit] >>' } })),
      'rewritten',
    ),
    file(
      'speaks of scripts',
      classicPdf({ ...plainObjects(), 4: `<< /Length ${text.length} >>\nstream\n${text}\nendstream` }),
      'rewritten',
    ),
    file('padded', Buffer.concat([classicPdf(plainObjects()), Buffer.alloc(300)]), 'rewritten'),
  ];
}

/** Links as many programs put them into invoices, and links that lead a reader elsewhere. */
export function linkingPdfs(): HostileFile[] {
  const links = {
    'a link to an address': '/A << /S /URI /URI (https://evil.example/login) >>',
    'a link with brackets': '/A << /S /URI /URI (https://evil.example/\\(a\\)(b)) >>',
    'a link in hexadecimal': '/A << /S /URI /URI <68747470733a2f2f6576696c2e6578616d706c652f> >>',
    'a link whose names are written as numbers': '/A << /S /#55#52#49 /U#52I (https://evil.example/) >>',
    'a link with a comment in it': '/A << /S /URI%here\n/URI%and there\n(https://evil.example/) >>',
    'a link whose address lies elsewhere': '/A << /S /URI /URI 7 0 R >>',
  };
  const crowded = annotation('Link', '/A << /S /URI /URI 7 0 R >>');
  const objects = { ...crowded.objects, 7: '(a)', 8: '[/S /URIx /URIx 7 0 R >> >>]'.replaceAll('>>', '1') };
  const packed = packedPdf(plainObjects({ page: crowded.page, objects }), { level: 9 });
  const made = Object.entries(links).flatMap(([name, more]) => {
    const { page, objects } = annotation('Link', more);
    const all = plainObjects({ page, objects: { ...objects, 7: '(https://evil.example/)' } });
    return [
      file(name, classicPdf(all), 'rewritten'),
      file(`${name}, packed`, packedPdf(all), 'rewritten'),
      file(`${name}, in an update`, updatedPdf(plainObjects(), all), 'rewritten'),
    ];
  });
  return [...made, file('a link without room to take it out', packed, 'rewritten')];
}
