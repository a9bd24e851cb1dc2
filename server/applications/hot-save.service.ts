import { randomUUID } from 'node:crypto';
import { type ApplicationBasis, judgeApplication } from '#contract/applications/rules.ts';
import type { ApplicationForm } from '#contract/applications/schema.ts';
import { kampalaDate } from '#contract/calendar.ts';
import { isTooOld, type SaveBody } from '#contract/invoices/schema.ts';
import { minorToNumeric } from '#contract/money.ts';
import type { Saved } from '#server/applications/applications.presenter.ts';
import { selectTenorDays } from '#server/applications/applications.queries.ts';
import { formTerms, isFuture, saving } from '#server/applications/applications.service.ts';
import { saveApplicationAtOnce } from '#server/applications/hot-save.queries.ts';
import { type SavedAtOnce, saveInvoiceAtOnce } from '#server/invoices/hot-save.service.ts';
import type { Config } from '#server/platform/config.ts';
import { sendChange } from '#server/platform/hot-change.ts';
import type { HotSender } from '#server/platform/hot-route.ts';
import type { Platform } from '#server/platform/platform.ts';

/** As many invoices as a busy day's people have open, at some 150 bytes each. */
const FACE_VALUES_KEPT = 10_000;

/**
 * Saves either form at once (docs/decisions/0027-hot-paths.md). An application is priced before its invoice is read, from the face
 * value that the last save saw: a guess that the statement checks, so that a wrong or missing one costs the general way.
 */
export class HotSaves {
  readonly #faceValues = new Map<string, number>();
  readonly #tenorDays = new Map<number, number>();
  readonly #invoiceMaximumAgeDays: number;

  constructor({ invoiceMaximumAgeDays }: Pick<Config, 'invoiceMaximumAgeDays'>) {
    this.#invoiceMaximumAgeDays = invoiceMaximumAgeDays;
  }

  /** What `saveForm` does in the ordinary case; undefined, and nothing done, for everything else. */
  async save(call: HotSender, body: SaveBody): Promise<SavedAtOnce<Saved> | undefined> {
    const { invoice, application, userTag } = body;
    const date = invoice?.date ?? application?.applicationDate;
    if (date === undefined || isFuture(call, date)) return undefined;
    if (invoice !== undefined && isTooOld(date, kampalaDate(call.now), this.#invoiceMaximumAgeDays)) return undefined;
    const done =
      invoice === undefined
        ? await this.#saveApplication(call, body, application)
        : await saveInvoiceAtOnce(call, invoice, { userTag, operation: saving(body) });
    if (done !== undefined) this.#keep(done.saved);
    return done;
  }

  /** Remembers, after the general way, what the next save of the form may be priced by. */
  async learn({ db }: Pick<Platform, 'db'>, { application }: SaveBody, saved: Saved): Promise<void> {
    this.#keep(saved);
    const period = application?.financingPeriodId;
    if (period === undefined || this.#tenorDays.has(period)) return;
    const days = await selectTenorDays(db, period);
    if (days !== undefined) this.#tenorDays.set(period, days);
  }

  #keep({ invoiceTag, faceValue }: Saved): void {
    this.#faceValues.delete(invoiceTag); // the one that was kept the longest goes first
    this.#faceValues.set(invoiceTag, faceValue);
    const [oldest] = this.#faceValues.keys();
    if (this.#faceValues.size > FACE_VALUES_KEPT && oldest !== undefined) this.#faceValues.delete(oldest);
  }

  async #saveApplication(
    call: HotSender,
    body: SaveBody,
    form: ApplicationForm | undefined,
  ): Promise<SavedAtOnce<Saved> | undefined> {
    if (form === undefined || (form.tag === undefined) !== (form.version === undefined)) return undefined;
    const invoiceTag = form.invoiceTag.toLowerCase();
    const basis = this.#basisOf(form, invoiceTag);
    if (basis === undefined) return undefined;
    const verdict = judgeApplication(form, basis);
    if (!verdict.ok) return undefined;
    const after = formTerms(form, verdict);
    const answer = {
      tag: form.tag?.toLowerCase() ?? randomUUID(),
      version: (form.version ?? 0) + 1,
      invoiceTag,
      faceValue: basis.faceValue,
    };
    const personTag = await sendChange(call, saveApplicationAtOnce, {
      own: [
        after.reference,
        after.date,
        minorToNumeric(after.advance),
        after.financingPeriodId,
        after.tenorDays,
        after.feeRateBps,
        minorToNumeric(after.discountFee),
        minorToNumeric(after.netProceeds),
        answer.tag,
        answer.version,
        form.tag ?? null,
        form.version ?? null,
        body.userTag ?? null,
        minorToNumeric(basis.faceValue),
      ],
      event: {
        action: form.tag === undefined ? 'application.created' : 'application.changed',
        subjectType: 'invoice',
        subjectTag: invoiceTag,
        after,
      },
      operation: saving(body),
      answer,
    });
    return personTag === undefined ? undefined : { saved: answer, personTag };
  }

  /** The statement sees to it that the reference is the one it has. */
  #basisOf(form: ApplicationForm, invoiceTag: string): ApplicationBasis | undefined {
    const faceValue = this.#faceValues.get(invoiceTag);
    const tenorDays = this.#tenorDays.get(form.financingPeriodId);
    if (faceValue === undefined || tenorDays === undefined) return undefined;
    return { faceValue, tenorDays, reference: undefined };
  }
}
