import { useState } from 'react';
import type { SupportingDocument } from '#contract/documents/schema.ts';
import { useChosenFile, whatIsSent } from './use-chosen-file.ts';
import { useUpload } from './use-upload.ts';

interface FileUploadEvents {
  readonly onUploaded: () => void;
  readonly onGone: () => void;
}

/** The upload of a document whose file is sent as soon as it is chosen. */
export type FileUpload = ReturnType<typeof useFileUpload>;

/** Sends a document's file as soon as it is chosen, smaller if it is a large photo. */
export function useFileUpload(invoiceTag: string, document: SupportingDocument, events: FileUploadEvents) {
  const [problem, setProblem] = useState<string>();
  const { running, succeeded, share, waiting, start, cancel } = useUpload(invoiceTag, document, {
    onClose: events.onUploaded,
    onGone: events.onGone,
    onProblem: setProblem,
  });
  const { chosen, choose, forget } = useChosenFile({
    onProblem: setProblem,
    onReady: (ready) => start(whatIsSent(ready)),
  });
  return {
    state: running ? 'sending' : chosen?.preparing ? 'preparing' : succeeded ? 'done' : 'none',
    file: chosen && whatIsSent(chosen).file,
    problem,
    share,
    waiting,
    choose,
    forget,
    cancel: () => {
      cancel();
      forget();
    },
  } as const;
}
