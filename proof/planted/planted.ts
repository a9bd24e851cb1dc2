/** The faults that planted.child.ts can have. */
export type PlantedFault =
  | 'process-clock'
  | 'no-turns'
  | 'unfair-turns'
  | 'letters-hold-the-server'
  | 'unbounded-passwords'
  | 'new-references'
  | 'believed-refusals';

/** The program of a server with this fault, for `startServerProcess`; undefined without a fault. */
export function programWith(fault: PlantedFault | undefined): readonly string[] | undefined {
  return fault === undefined ? undefined : ['proof/planted/planted.child.ts', fault];
}
