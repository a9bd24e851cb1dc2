import type { FormErrors } from '@mantine/form';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState, useSyncExternalStore } from 'react';
import type { LoadedInvoice } from '#contract/invoices/schema.ts';
import { type InvoiceForm, invoiceLabels, useInvoiceForm } from '#web/applications/invoice/invoice-values.ts';
import { useCurrencies } from '#web/applications/invoice/invoices.api.ts';
import {
  type ApplicationForm,
  applicationLabels,
  useApplicationForm,
} from '#web/applications/terms/application-values.ts';
import { referenceQuery } from '#web/applications/terms/applications.api.ts';
import { saveBeforeLeaving } from '#web/platform/storage/unsaved-work.ts';
import {
  checkTyped,
  completeFaceValue,
  type Draft,
  draftOf,
  isUnsaved,
  type Owner,
  type Part,
  type Typed,
  typedOf,
  typedOver,
} from './draft.ts';
import { DraftSaving } from './draft-saving.ts';
import type { KeptTyping, OpenTyping } from './kept-typing.ts';

interface DraftOptions {
  readonly loaded: LoadedInvoice | undefined;
  readonly typing: OpenTyping;
  readonly screen: string;
  readonly owner: Owner;
  readonly onCreated: (invoiceTag: string) => void;
  readonly onGone: (invoiceTag: string) => void;
}

/** The two forms of the screen, saving themselves (docs/specification-coverage.md, 4). */
export function useApplicationDraft(options: DraftOptions) {
  const queryClient = useQueryClient();
  const { loaded, typing, screen, owner, onCreated, onGone } = options;
  const [opened] = useState(() => open(loaded, typing.kept));
  const invoiceForm = useInvoiceForm(opened.typed.invoice, () => {
    // The highest amount that can be applied for has changed with it.
    if (applicationForm.errors.amountAppliedFor !== undefined) applicationForm.validateField('amountAppliedFor');
    saving.changed();
  });
  const applicationForm = useApplicationForm(
    opened.typed.application,
    () => completeFaceValue(invoiceForm.getValues()),
    () => saving.changed(),
  );
  const [saving] = useState(
    () =>
      new DraftSaving({
        queryClient,
        screen,
        owner,
        draft: opened.draft,
        typing,
        onCreated,
        onGone,
        ...betweenFormsAndSaving(invoiceForm, applicationForm),
      }),
  );
  usePresetCurrency(invoiceForm, saving);
  useSavingMoments(saving);
  const state = useSyncExternalStore(saving.autosave.subscribe, saving.autosave.state);
  const keeping = useSyncExternalStore(saving.subscribe, saving.keeping);
  const { draft } = saving;
  const given = useQuery({ ...referenceQuery(screen), enabled: draft.reference === undefined });
  return {
    invoiceForm,
    applicationForm,
    saving,
    state,
    /** The draft on the server. */
    draft,
    reference: draft.reference ?? given.data,
    stale: saving.stale,
    unsaved: isUnsaved(draft, { invoice: invoiceForm.values, application: applicationForm.values }),
    /** Whether the device has the typing that the server lacks. */
    keeping,
    /** When the restored typing was typed, if an earlier visit left it unsaved. */
    restoredFrom: typing.kept && new Date(typing.kept.keptAt),
  };
}

/** A draft on the screen: its forms and the state of saving them. */
export type ApplicationDraft = ReturnType<typeof useApplicationDraft>;

/** Connects saving with the forms: the values it reads from them and the results it reports to them. */
function betweenFormsAndSaving(invoiceForm: InvoiceForm, applicationForm: ApplicationForm) {
  return {
    read: () => ({ invoice: invoiceForm.getValues(), application: applicationForm.getValues() }),
    onPause: () => showWhatIsWrong(invoiceForm, applicationForm),
    onSaved: (part: Part, typed: Typed) => {
      if (part === 'invoice') hideWhatIsSettled(invoiceForm, checkTyped(typed).invoice);
      else hideWhatIsSettled(applicationForm, checkTyped(typed).application);
    },
    onFields: (part: Part, fields: Readonly<Record<string, string>>) =>
      showFields(part === 'invoice' ? invoiceForm : applicationForm, part, fields),
  };
}

/** The currency of most invoices here. */
const USUAL_CURRENCY = 'UGX';

/** Sets a new invoice's currency to the usual one as soon as its id is known. */
function usePresetCurrency(form: InvoiceForm, saving: DraftSaving): void {
  const currencies = useCurrencies();
  const id = currencies.data?.find(({ code }) => code === USUAL_CURRENCY)?.id;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once the id is known; a later choice stays.
  useEffect(() => {
    if (id === undefined || saving.draft.invoice !== undefined || form.getValues().currencyId !== '') return;
    saving.presetCurrency(String(id));
    form.setFieldValue('currencyId', String(id));
  }, [id]);
}

/** Also saves when the connection returns and when the page is hidden. */
function useSavingMoments(saving: DraftSaving): void {
  useEffect(() => {
    const stop = saving.start();
    const retry = () => saving.autosave.retry();
    const saveNow = () => {
      if (document.visibilityState === 'hidden') void saving.autosave.flush();
    };
    const warn = (event: BeforeUnloadEvent) => {
      if (saving.keeping() === 'refused') event.preventDefault();
    };
    window.addEventListener('online', retry);
    window.addEventListener('beforeunload', warn);
    document.addEventListener('visibilitychange', saveNow);
    const forget = saveBeforeLeaving(saving);
    return () => {
      window.removeEventListener('online', retry);
      window.removeEventListener('beforeunload', warn);
      document.removeEventListener('visibilitychange', saveNow);
      forget();
      stop();
    };
  }, [saving]);
}

/** The stored draft, with this person's earlier unsaved typing over it. */
function open(loaded: LoadedInvoice | undefined, kept: KeptTyping | undefined): { typed: Typed; draft: Draft } {
  const draft = draftOf(loaded);
  if (kept === undefined) return { typed: typedOf(loaded), draft };
  const { invoice, application, versions } = kept;
  return { typed: { invoice, application }, draft: typedOver(draft, versions) };
}

/** Shows errors only on fields that have a value: nobody is told off for fields that they have not reached. */
function showWhatIsWrong(invoiceForm: InvoiceForm, applicationForm: ApplicationForm): void {
  const typed = { invoice: invoiceForm.getValues(), application: applicationForm.getValues() };
  const wrong = checkTyped(typed);
  invoiceForm.setErrors((shown) => ({ ...filledIn(wrong.invoice, typed.invoice), ...shown }));
  applicationForm.setErrors((shown) => ({ ...filledIn(wrong.application, typed.application), ...shown }));
}

function filledIn(errors: FormErrors, values: object): FormErrors {
  const filled = new Map(Object.entries(values));
  return Object.fromEntries(Object.entries(errors).filter(([field]) => filled.get(field) !== ''));
}

/** Clears the messages that a save has settled, such as that a number is taken. */
function hideWhatIsSettled(form: Pick<InvoiceForm, 'setErrors'>, wrong: FormErrors): void {
  form.setErrors((shown) => Object.fromEntries(Object.entries(shown).filter(([field]) => field in wrong)));
}

/** Shows the server's messages on the fields that the form has. */
function showFields(form: Pick<InvoiceForm, 'setErrors'>, part: Part, fields: Readonly<Record<string, string>>): void {
  const labels = part === 'invoice' ? invoiceLabels : applicationLabels;
  const shown = Object.entries(fields).filter(([field]) => field in labels);
  form.setErrors((errors) => ({ ...errors, ...Object.fromEntries(shown) }));
}
