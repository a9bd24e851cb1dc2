import { useRef, useState } from 'react';
import { notices, notify } from '#web/notices.ts';
import { uniqueKey } from '#web/platform/unique-key.ts';
import { refuseFile } from './chosen-file.ts';
import { shrinkPhoto } from './photo-shrinking.ts';
import type { Sendable } from './use-upload.ts';

/** A chosen file, and the smaller picture sent in its place unless the person wants the original. */
export interface ChosenFile {
  readonly original: Sendable;
  readonly smaller: Sendable | undefined;
  readonly sendsOriginal: boolean;
  /** The smaller picture is being made. */
  readonly preparing: boolean;
}

/** The file that is sent. */
export function whatIsSent({ original, smaller, sendsOriginal }: ChosenFile): Sendable {
  return smaller === undefined || sendsOriginal ? original : smaller;
}

interface ChoiceEvents {
  readonly onProblem: (problem: string | undefined) => void;
  /** Called once the file can be sent. */
  readonly onReady?: (chosen: ChosenFile) => void;
}

/** The chosen file. A large photo is made smaller before its size is checked. */
export function useChosenFile({ onProblem, onReady }: ChoiceEvents) {
  const [chosen, setChosen] = useState<ChosenFile>();
  const latest = useRef<File>(undefined);

  async function choose(file: File | null): Promise<void> {
    if (file === null) return;
    latest.current = file;
    onProblem(undefined);
    const original = sendable(file);
    setChosen({ original, smaller: undefined, sendsOriginal: false, preparing: true });
    const smaller = await shrinkPhoto(file);
    if (latest.current !== file) return;
    const refusal = refuseFile(smaller ?? file);
    onProblem(refusal);
    if (refusal !== undefined) {
      notify(notices.documentNotUploaded(refusal));
      setChosen(undefined);
      return;
    }
    const ready = { original, smaller: smaller && sendable(smaller), sendsOriginal: false, preparing: false };
    setChosen(ready);
    onReady?.(ready);
  }

  return {
    chosen,
    choose: (file: File | null) => void choose(file),
    forget: () => {
      latest.current = undefined;
      setChosen(undefined);
    },
    sendOriginal: (sendsOriginal: boolean) => setChosen((current) => current && { ...current, sendsOriginal }),
  };
}

function sendable(file: File): Sendable {
  return { file, idempotencyKey: uniqueKey() };
}
