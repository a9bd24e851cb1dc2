import type { HostileFile } from './hostile-file.ts';
import { impostors } from './impostors.ts';
import { activePdfs, brokenPdfs, hidingPdfs, honestPdfs } from './pdfs.ts';
import { pictureBombs, pictureKinds, picturesWithPayloads } from './pictures.ts';

/** Every hostile file there is, made anew: the tests' one source of them, in the server and in the browser. */
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
  ];
}
