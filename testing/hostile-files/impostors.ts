import { TEST_VIRUS } from '#server/files/sanitizing/test-virus.ts';
import type { HostileFile } from './hostile-file.ts';
import { page, svg, zipOf } from './payloads.ts';

/** Files that are not what their names and types claim. */

const latin = (text: string, size = 200): Buffer => Buffer.concat([Buffer.from(text, 'latin1'), Buffer.alloc(size)]);

const contents: Readonly<Record<string, Buffer>> = {
  'a page': page,
  'a page after a byte-order mark': Buffer.concat([Buffer.from('\ufeff'), page]),
  'a drawing': svg,
  'a drawing with a prologue': Buffer.concat([Buffer.from('<?xml version="1.0"?>\n'), svg]),
  'a script': Buffer.from('alert(1)'),
  php: Buffer.from('<?php phpinfo();'),
  'a shell script': Buffer.from('#!/bin/sh\nid\n'),
  'a program for Linux': latin('\x7fELF\x02\x01\x01'),
  'a program for Windows': latin('MZ\x90\0\x03'),
  'a program for the Java machine': latin('\xca\xfe\xba\xbe\0\0\0\x34'),
  'a program for Flash': latin('CWS\x0a'),
  'an archive': zipOf('a.html', page),
  'a Word document': zipOf('word/document.xml', Buffer.from('<w:document/>')),
  'a GIF': latin('GIF89a\x01\0\x01\0\x80\0\0'),
  'a GIF that is a script': Buffer.from('GIF89a=1;alert(1)//'),
  'a bitmap': latin('BM\xc8\0\0\0\0\0\0\0\x36\0\0\0'),
  'a TIFF': latin('II*\0\x08\0\0\0'),
  'an icon': latin('\0\0\x01\0\x01\0\x10\x10'),
  'an AVIF': latin('\0\0\0\x20ftypavif\0\0\0\0avifmif1'),
  'an HEIC': latin('\0\0\0\x20ftypheic\0\0\0\0heicmif1'),
  'a film': latin('\0\0\0\x20ftypisom\0\0\x02\0isomiso2'),
  'a RIFF that is no picture': latin('RIFF\xc8\0\0\0WAVEfmt '),
  PostScript: Buffer.from('%!PS-Adobe-3.0\n(file) run\n'),
  'a test virus': TEST_VIRUS,
  text: Buffer.from('Invoice 42: UGX 1,000,000'),
  nothing: Buffer.alloc(0),
  zeros: Buffer.alloc(4096),
};

const claims = [
  { fileName: 'scan.png', type: 'image/png' },
  { fileName: 'invoice.pdf', type: 'application/pdf' },
] as const;

/** All of them, each under a picture's and a PDF's name. */
export function impostors(): HostileFile[] {
  return Object.entries(contents).flatMap(([what, content]) =>
    claims.map((claim) => ({
      ...claim,
      name: `${what} called ${claim.fileName}`,
      content,
      expected: what === 'an HEIC' ? ('FILE_HEIC' as const) : ('FILE_TYPE' as const),
    })),
  );
}
