/** The harmless file that every scanner takes for a virus (EICAR's), in two halves so that none takes this source for it. */
export const TEST_VIRUS = Buffer.from(
  ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR-STANDARD-', 'ANTIVIRUS-TEST-FILE!$H+H*'].join(''),
);
