import { type SubmitEvent, useEffect, useRef, useState } from 'react';
import type { secondFactorCode } from '#contract/own-account/schema.ts';
import { ApiFailure } from '#web/platform/api/api.ts';

/**
 * A second-factor code: its field, and `submit` and `refuse` for its form. It is sent when it is complete or when the
 * form is submitted, and only if the schema accepts it.
 */
export function useTypedCode(schema: typeof secondFactorCode, send: (code: string) => void) {
  const [code, setCode] = useState('');
  const [problem, setProblem] = useState<string>();
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus({ preventScroll: true }), []);
  const change = (typed: string) => {
    setCode(typed);
    setProblem(undefined);
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const wrong = schema.safeParse(code).error?.issues[0]?.message;
    setProblem(wrong);
    if (wrong === undefined) send(code);
    else input.current?.focus();
  };
  // A wrong code is cleared; after any other failure it may still be right.
  const refuse = (failure: Error, message = failure.message) => {
    setProblem(message);
    if (failure instanceof ApiFailure && failure.code === 'SECOND_FACTOR_WRONG') setCode('');
    input.current?.focus();
  };
  return { field: { ref: input, value: code, onChange: change, onComplete: send, error: problem }, submit, refuse };
}
