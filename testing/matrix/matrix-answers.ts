/** The replies to the matrix's calls for a row of the caller's own, of somebody else's, and for no row. */

export const visible = { own: 200, foreign: { client: 404, other: 200 }, absent: 404 } as const;
export const owned = { own: 200, foreign: 404, absent: 404 } as const;
/** For staff, whichever business the row belongs to. */
export const anybodys = { own: 200, foreign: 200, absent: 404 } as const;
/** A person without permissions waits for activation. */
export const whileWaiting = { noPermission: 200, other: 409 } as const;
export const outOfTurn = { own: 409, foreign: 409, absent: 404 } as const;
/** No provider can send requests to pay here. */
export const unasked = { own: 422, foreign: 404, absent: 404 } as const;
export const unknown = { own: 404, foreign: 404, absent: 404 } as const;
export const unusable = { own: 422, foreign: 422, absent: 422 } as const;
export const rowless = { own: 200, foreign: 200, absent: 200 } as const;
