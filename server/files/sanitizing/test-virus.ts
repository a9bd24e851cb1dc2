/** The harmless test virus of all scanners (EICAR), in two halves so that scanners do not flag this source. */
export const TEST_VIRUS = Buffer.from(
  ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR-STANDARD-', 'ANTIVIRUS-TEST-FILE!$H+H*'].join(''),
);
