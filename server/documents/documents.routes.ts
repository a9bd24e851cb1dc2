import { documentEndpoints } from '#contract/documents/endpoints.ts';
import { AppError } from '#server/calls/app-error.ts';
import type { SignedInCaller } from '#server/calls/caller.ts';
import { done } from '#server/calls/done.ts';
import { readUploadForm } from '#server/documents/uploads/upload-form.ts';
import { beginUpload, cancelUpload, finishUpload, storePart } from '#server/documents/uploads/uploads.service.ts';
import type { Routes } from '#server/http/http.ts';
import { FairSemaphore } from '#server/machine/fair-semaphore.ts';
import { shownFileHeaders } from '#server/responses/security-headers.ts';
import { presentType } from './documents.presenter.ts';
import {
  admitUpload,
  checkDocuments,
  deleteDocument,
  listDocuments,
  openDocument,
  uploadDocument,
} from './documents.service.ts';

/**
 * At most 60 MB of one client's uploads may be in the inbox, 600 MB in all; further ones wait before their body is
 * read.
 */
const UPLOADS = { atOnce: 60, atOnceEach: 6, waiting: 60 } as const;

/** Supporting documents. */
export function documentRoutes(routes: Routes): void {
  const { platform } = routes;
  const uploads = new FairSemaphore(UPLOADS);
  const inTurn = <T>({ person }: SignedInCaller, upload: () => Promise<T>): Promise<T> =>
    uploads.run(person.businessTag ?? person.tag, upload);

  routes.signedIn(documentEndpoints.listDocuments, async ({ params, caller }) =>
    (await listDocuments({ platform, caller }, params.tag)).map(presentType),
  );
  routes.signedIn(documentEndpoints.checkDocuments, async ({ params, caller }) => {
    const missing = await checkDocuments({ platform, caller }, params.tag);
    return { success: missing.length === 0, missing };
  });
  routes.signedIn(documentEndpoints.uploadDocument, ({ request, caller }) =>
    inTurn(caller, async () => {
      const upload = await readUploadForm(request, platform.files, (body) => admitUpload({ platform, caller }, body));
      try {
        return { ...done, data: { tag: await uploadDocument({ platform, caller }, upload) } };
      } finally {
        await platform.files.forget(upload.received);
      }
    }),
  );
  routes.signedIn(documentEndpoints.beginUpload, async ({ body, caller }) => {
    const { tag, arrived } = await beginUpload({ platform, caller }, body);
    return { ...done, data: { tag, arrived: [...arrived] } };
  });
  routes.signedIn(documentEndpoints.uploadPart, async ({ params, caller, request }) => {
    if (!Buffer.isBuffer(request.body)) throw new AppError('MEDIA_TYPE');
    await storePart({ platform, caller }, params.tag, Number(params.part), request.body);
  });
  routes.signedIn(documentEndpoints.finishUpload, async ({ params, caller }) => {
    const tag = await inTurn(caller, () => finishUpload({ platform, caller }, params.tag));
    return { ...done, data: { tag } };
  });
  routes.byTag(documentEndpoints.cancelUpload, cancelUpload);
  routes.signedIn(documentEndpoints.viewDocument, async ({ params, caller, reply }) => {
    const { document, content } = await openDocument({ platform, caller }, params.tag);
    reply.headers({ ...shownFileHeaders(document), 'content-length': document.size });
    return content;
  });
  routes.byTag(documentEndpoints.deleteDocument, deleteDocument);
}
