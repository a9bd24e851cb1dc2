import { fromMinor } from '#contract/money.ts';
import { referenceKey } from '#contract/payments/reference-key.ts';
import { isBuilt, refusalOfRepeat } from '#contract/statements/known-lines.ts';
import type { PossibleRepeat, RepeatAnswer } from '#contract/statements/schema.ts';
import { AppError, orNotFound } from '#server/calls/app-error.ts';
import { doOnce, recordEvent } from '#server/changes/change.ts';
import { together } from '#server/db/together.ts';
import { postOutside } from '#server/journal/journal.service.ts';
import { requireStanding } from '#server/people/standing/standing.service.ts';
import type { Context } from '#server/platform/work.ts';
import { requireOthers } from '#server/statements/matching.service.ts';
import { lockRepeat, type RepeatRow, updateRepeat } from './repeats.queries.ts';

/**
 * Records whether a line is the same payment as another line. If it is a different one, it arrives like any other. The
 * answer "the same" can be corrected later; the answer "different" cannot, because the money has arrived. Throws
 * NOT_FOUND, OWN_BUSINESS, NEW_OFFICER, REPEAT_ANSWERED, OWN_REPEAT.
 */
export function answerRepeat(context: Context, tag: string, { isSame }: RepeatAnswer) {
  const { caller } = context;
  return doOnce(context, { name: 'answerRepeat', input: { tag, isSame } }, async (work) => {
    const { change } = work;
    const repeat = orNotFound(await lockRepeat(change, tag));
    const { id, rail, currencyId, providerId: reference, details, amount, date } = repeat;
    await together(
      requireStanding(work),
      requireOthers(change, caller, {
        rail,
        currencyId,
        keys: [referenceKey(reference)],
        transfers: [],
        texts: [details, repeat.otherDetails],
      }),
    );
    const refusal = refusalOfRepeat(repeat, { isSame, by: caller.person.id });
    if (refusal !== undefined) throw new AppError(refusal);
    updateRepeat(change, id, { is_same: isSame, answered_at: caller.now, answered_by: caller.person.id });
    const entry = isSame ? null : postOutside(work, repeat, { kind: 'arrival', amount, date, reference });
    recordEvent(work, 'statementLine.repeatAnswered', ['statementLine', repeat.tag], {
      after: { isSame, entry },
    });
  });
}

/** Presents a line that may repeat another one to an officer. */
export function presentRepeat(row: RepeatRow, readerId: number): PossibleRepeat {
  const { tag, rail, currency, date, amount, on, saidBy } = row;
  return {
    tag,
    rail,
    currency,
    date,
    on,
    saidBy,
    amount: fromMinor(amount),
    line: presentLine(row, {
      id: row.providerId,
      payerName: row.payerName,
      details: row.details,
      fileName: row.fileName,
    }),
    other: presentLine(row, {
      id: row.otherId,
      payerName: row.otherPayer,
      details: row.otherDetails,
      fileName: row.otherFile,
    }),
    refusal: refusalOfRepeat(row, { isSame: false, by: readerId }) ?? null,
  };
}

/** Leaves out an id that we made up for a line without one. */
function presentLine({ date, amount }: RepeatRow, line: PossibleRepeat['line'] & { readonly id: string }) {
  return { ...line, id: isBuilt({ ...line, date, amount }) ? null : line.id };
}
