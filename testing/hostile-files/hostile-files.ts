import type { HostileFile } from './hostile-file.ts';
import { impostors } from './impostors.ts';
import { lockedPdfs, pdfsOfManyObjects } from './locked-pdfs.ts';
import { activePdfs, brokenPdfs, hidingPdfs, honestPdfs, linkingPdfs } from './pdfs.ts';
import { pictureBombs, pictureKinds, picturesWithPayloads } from './pictures.ts';

/** One of this many alike is used where the tests run often. */
const OF_MANY = 12;

/** One payload in each place, every kind of picture but the large ones, and some of everything else. */
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

/** Every hostile file there is, made for each call: the tests' one source of them, in the server and in the browser. */
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
