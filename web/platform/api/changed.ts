/** Which queries a change makes old, by how their keys begin. */

/** Every query: all that an officer has on the screen may show the money or the transfer that changed. */
export const everything = [[]] as const;

/** What shows an application, its terms and its money beside the desk. */
export const besideDesk = [
  ['progress'],
  ['payments'],
  ['payout'],
  ['repayment'],
  ['extension'],
  ['invoices'],
  ['documents'],
  ['applications'],
  ['limits'],
  ['figures'],
  ['attention'],
] as const;

/** What shows an application, to officers and to its client. */
export const ofApplication = [['desk'], ...besideDesk] as const;
