import type { HostileFile } from './hostile-file.ts';
import { impostors } from './impostors.ts';
import { lockedPdfs, pdfsOfManyObjects } from './locked-pdfs.ts';
import { activePdfs, brokenPdfs, hidingPdfs, honestPdfs, linkingPdfs } from './pdfs.ts';
import { pictureBombs, pictureKinds, picturesWithPayloads } from './pictures.ts';

/** Where the tests run often, only one in this many similar files is used. */
const OF_MANY = 12;

/** One payload in each position, every kind of picture except the large ones, and some of everything else. */
export async function makeSomeHostileFiles(): Promise<HostileFile[]> {
  const pdfs = [...activePdfs(), ...hidingPdfs(), ...brokenPdfs(), ...impostors()];
  return [
    ...(await picturesWithPayloads(['page'])),
    ...(await pictureKinds()),
    ...pdfs.filter((_, index) => index % OF_MANY === 0),
    ...honestPdfs(),
    ...linkingPdfs(),
    ...(await lockedPdfs(['a script of the page'])),
    ...pdfsOfManyObjects(),
  ];
}

/** Every hostile file, made again for each call. The server's and the browser's tests take them all from here. */
export async function makeHostileFiles(): Promise<HostileFile[]> {
  return [
    ...(await picturesWithPayloads()),
    ...(await pictureKinds()),
    ...(await pictureBombs()),
    ...impostors(),
    ...activePdfs(),
    ...hidingPdfs(),
    ...brokenPdfs(),
    ...honestPdfs(),
    ...linkingPdfs(),
    ...(await lockedPdfs()),
    ...pdfsOfManyObjects(),
  ];
}
