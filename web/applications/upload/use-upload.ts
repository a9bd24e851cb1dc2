import { useEffect, useRef, useState } from 'react';
import type { SupportingDocument } from '#contract/documents/schema.ts';
import { failures } from '#contract/errors.ts';
import { whyGone } from '#web/applications/documents/gone.ts';
import { notices, notify } from '#web/notices.ts';
import { ApiFailure } from '#web/platform/api/api.ts';
import { GIVEN_UP, useUploadDocument } from './upload.api.ts';

/** A file to upload. Every attempt carries the same key, so that a repeat stores it once. */
export interface Sendable {
  readonly file: File;
  readonly idempotencyKey: string;
}

interface UploadEvents {
  readonly onClose: () => void;
  readonly onGone: () => void;
  readonly onProblem: (problem: string | undefined) => void;
}

const reasonsThatHelp: ReadonlySet<string> = new Set([
  'FILE_TOO_LARGE',
  'FILE_ACTIVE',
  'FILE_BROKEN',
  'FILE_CUT_OFF',
  'FILE_HEIC',
  'FILE_LOCKED',
  'FILE_PROTECTED',
  'FILE_TOO_COMPLEX',
  'FILE_TOO_MANY_PIXELS',
  'FILE_INFECTED',
  'FILE_DAMAGED',
  'STORAGE_FULL',
  'STORAGE_QUOTA',
]);

/** Runs one upload at a time, with its progress and a way to stop it. */
export function useUpload(invoiceTag: string, document: SupportingDocument, events: UploadEvents) {
  const { onClose, onGone, onProblem } = events;
  const upload = useUploadDocument(invoiceTag);
  const [share, setShare] = useState(0);
  const [waiting, setWaiting] = useState(false);
  const abort = useRef<AbortController>(undefined);
  useEffect(() => () => abort.current?.abort(), []);

  async function start({ file, idempotencyKey }: Sendable): Promise<void> {
    const controller = new AbortController();
    abort.current = controller;
    setShare(0);
    setWaiting(false);
    onProblem(undefined);
    try {
      const { signal } = controller;
      const told = { onProgress: setShare, onWaiting: setWaiting };
      if (!(await upload.mutateAsync({ document, file, idempotencyKey, signal, ...told }))) return;
      notify(notices.documentUploaded(document.type));
      onClose();
    } catch (error) {
      const gone = whyGone(error);
      if (gone !== undefined) {
        notify(notices.actionFailed(gone));
        onGone();
        return;
      }
      // The modal adds advice, for refusals that another picture does not solve.
      if (error instanceof ApiFailure && reasonsThatHelp.has(error.code)) onProblem(error.message);
      notify(notices.documentNotUploaded(error instanceof ApiFailure ? error.message : failures.INTERNAL.msg));
    }
  }

  return {
    running: upload.isPending,
    tried: !upload.isIdle,
    succeeded: upload.data === true,
    share,
    /** The connection is lost; the upload continues when it returns. */
    waiting,
    start: (sendable: Sendable) => void start(sendable),
    cancel: () => abort.current?.abort(GIVEN_UP),
  };
}
