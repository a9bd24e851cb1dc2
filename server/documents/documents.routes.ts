import { documentEndpoints } from '#contract/documents/endpoints.ts';
import { readUploadForm } from '#server/documents/uploads/upload-form.ts';
import { beginUpload, cancelUpload, finishUpload, keepPart } from '#server/documents/uploads/uploads.service.ts';
import { AppError } from '#server/http/app-error.ts';
import type { Routes, SignedInCaller } from '#server/http/http.ts';
import { FairSemaphore } from '#server/traffic/fair-semaphore.ts';
import { documentHeaders, presentType } from './documents.presenter.ts';
import {
  admitUpload,
  checkDocuments,
  deleteDocument,
  listDocuments,
  openDocument,
  uploadDocument,
} from './documents.service.ts';

/** At most 60 MB of a client's uploads are in the inbox, 600 MB in all; others wait before their body is read. */
const UPLOADS = { atOnce: 60, atOnceEach: 6, waiting: 60 } as const;

/** Supporting documents. */
export function documentRoutes(routes: Routes): void {
  const { platform } = routes;
  const uploads = new FairSemaphore(UPLOADS);
  const inTurn = <T>({ person }: SignedInCaller, upload: () => Promise<T>): Promise<T> =>
    uploads.run(person.businessTag ?? person.tag, upload);

  routes.signedIn(documentEndpoints.listDocuments, async ({ params, caller }) =>
    (await listDocuments(platform, caller, params.tag)).map(presentType),
  );
  routes.signedIn(documentEndpoints.checkDocuments, async ({ params, caller }) => {
    const missing = await checkDocuments(platform, caller, params.tag);
    return { success: missing.length === 0, missing };
  });
  routes.signedIn(documentEndpoints.uploadDocument, ({ request, caller }) =>
    inTurn(caller, async () => {
      const upload = await readUploadForm(request, platform.files, (body) => admitUpload(platform, caller, body));
      try {
        return { success: true as const, data: { tag: await uploadDocument(platform, caller, upload) } };
      } finally {
        await platform.files.forget(upload.received);
      }
    }),
  );
  routes.signedIn(documentEndpoints.beginUpload, async ({ body, caller }) => {
    const { tag, arrived } = await beginUpload(platform, caller, body);
    return { success: true as const, data: { tag, arrived: [...arrived] } };
  });
  routes.signedIn(documentEndpoints.uploadPart, async ({ params, caller, request }) => {
    if (!Buffer.isBuffer(request.body)) throw new AppError('MEDIA_TYPE');
    await keepPart(platform, caller, params.tag, Number(params.part), request.body);
    return { success: true as const };
  });
  routes.signedIn(documentEndpoints.finishUpload, async ({ params, caller }) => ({
    success: true as const,
    data: { tag: await inTurn(caller, () => finishUpload(platform, caller, params.tag)) },
  }));
  routes.signedIn(documentEndpoints.cancelUpload, async ({ params, caller }) => {
    await cancelUpload(platform, caller, params.tag);
    return { success: true as const };
  });
  routes.signedIn(documentEndpoints.viewDocument, async ({ params, caller, reply }) => {
    const { document, content } = await openDocument(platform, caller, params.tag);
    reply.headers(documentHeaders(document));
    return content;
  });
  routes.signedIn(documentEndpoints.deleteDocument, async ({ params, caller }) => {
    await deleteDocument(platform, caller, params.tag);
    return { success: true as const };
  });
}
