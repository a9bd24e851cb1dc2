import { Alert, Anchor, Button, Stack, Text, VisuallyHidden } from '@mantine/core';
import { IconCircleCheckFilled } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import type { InformationRequest } from '#contract/applications/progress.ts';
import { ApiFailure } from '#web/platform/api/api.ts';
import { useLocation } from '#web/platform/router/router.tsx';
import { uniqueKey } from '#web/platform/unique-key.ts';
import { TextArea } from '#web/ui/forms/text-area.tsx';
import { readAnswer, storeAnswer } from './kept-answer.ts';
import { useAnswer } from './progress.api.ts';
import classes from './progress.module.css';

interface AnswerFormProps {
  readonly tag: string;
  readonly userTag: string;
  readonly request: InformationRequest;
  /** Opens the upload of a requested document. */
  readonly onUpload: (typeId: number) => void;
  readonly onAnswered: () => void;
}

/** The request, and the form to answer it: with documents, in words, or both. Typing survives a reload. */
export function AnswerForm({ tag, userTag, request, onUpload, onAnswered }: AnswerFormProps) {
  const slot = { userTag, requestTag: request.tag };
  const [answer, setAnswer] = useState(() => readAnswer(slot));
  // An answer keeps its key however often a bad connection makes it be sent; a different answer gets a new key.
  const [idempotencyKey, setIdempotencyKey] = useState(uniqueKey);
  const send = useAnswer(tag, () => {
    storeAnswer(slot, '');
    onAnswered();
  });
  const field = useRef<HTMLTextAreaElement>(null);
  const { hash } = useLocation();
  useEffect(() => {
    // The person followed a link here to answer.
    if (hash === '#answer') field.current?.focus();
  }, [hash]);
  const missing = whatIsMissing(request, answer);
  const wrong = send.error instanceof ApiFailure ? send.error.fields.answer : undefined;

  function type(text: string): void {
    setAnswer(text);
    setIdempotencyKey(uniqueKey());
    storeAnswer(slot, text);
  }

  return (
    <Stack gap="md">
      <blockquote className={classes.quote}>{request.question}</blockquote>
      {request.documents.length > 0 && <AskedDocuments documents={request.documents} onUpload={onUpload} />}
      <TextArea
        ref={field}
        label="Your answer"
        description={request.documents.length > 0 ? 'Optional once the documents are uploaded' : undefined}
        maxLength={2000}
        value={answer}
        onChange={(event) => type(event.currentTarget.value)}
        error={wrong}
      />
      {send.isError && wrong === undefined && (
        <Alert color="red" role="alert" title="Not sent">
          {send.error.message}
        </Alert>
      )}
      <div className={classes.links}>
        <Button
          disabled={missing !== undefined}
          loading={send.isPending}
          onClick={() => send.mutate({ answer: answer.trim(), idempotencyKey })}
        >
          Send answer
        </Button>
        {missing !== undefined && (
          <Text size="sm" c="dimmed">
            {missing}
          </Text>
        )}
      </div>
    </Stack>
  );
}

/** Why the answer cannot be sent yet: it needs either words or all of the documents. */
function whatIsMissing({ documents }: InformationRequest, answer: string): string | undefined {
  if (answer.trim() !== '') return undefined;
  const open = documents.filter(({ uploaded }) => !uploaded).map(({ type }) => type);
  if (documents.length === 0) return 'Missing: your answer';
  return open.length === 0 ? undefined : `Missing: ${open.join(', ')}, or a written answer`;
}

function AskedDocuments({
  documents,
  onUpload,
}: Pick<InformationRequest, 'documents'> & Pick<AnswerFormProps, 'onUpload'>) {
  return (
    <ul className={classes.asked} aria-label="Documents asked for">
      {documents.map(({ typeId, type, uploaded }) => (
        <li key={typeId}>
          {uploaded ? (
            <span className={classes.there}>
              <IconCircleCheckFilled size={18} role="img" aria-label="Uploaded:" />
              {type}
            </span>
          ) : (
            <span>{type}</span>
          )}
          <Anchor component="button" type="button" data-asked-document={typeId} onClick={() => onUpload(typeId)}>
            {uploaded ? 'Replace' : 'Upload'}
            <VisuallyHidden>{` ${type}`}</VisuallyHidden>
          </Anchor>
        </li>
      ))}
    </ul>
  );
}
