import type { caseBuilders } from '#testing/case-builders.ts';
import type { MatrixRequest, Rows } from './matrix-rows.ts';

/** Calls of the matrix that name a row. */

export const byInvoice = async (rows: Rows): Promise<MatrixRequest> => ({
  params: { tag: (await rows.invoice()).tag },
});
export const byDocument = async (rows: Rows): Promise<MatrixRequest> => ({
  params: { tag: (await rows.invoice()).documentTag },
});
export const byUpload = async (rows: Rows): Promise<MatrixRequest> => ({ params: { tag: await rows.upload() } });
/** The replies for own and absent rows as given; for a foreign row staff succeed and clients get 'not found'. */
export const byCase =
  (status: keyof typeof caseBuilders, body?: unknown) =>
  async (rows: Rows): Promise<MatrixRequest> => ({
    params: { tag: await rows.case(status) },
    ...(body === undefined ? {} : { body }),
  });
export const byTag = (tag: (rows: Rows) => Promise<string>) => async (rows: Rows) => ({
  params: { tag: await tag(rows) },
});
