import { type Status, stepAllowed } from '#contract/applications/lifecycle.ts';
import { allows } from '#contract/applications/step-rules.ts';
import { type CaseFacts, isExperienced } from '#contract/desk/case-facts.ts';
import { keysOf } from '#contract/keys.ts';
import { type Outcome, type Refusal, type Rule, refusalsBy } from '#contract/refusals/refusal.ts';
import { hasReadKeyFacts } from './acceptance.ts';
import { tenorIsOffered } from './counter-offer.ts';
import { hasLapsed } from './offer.ts';
import type { ExtensionReply } from './schema.ts';

/** Who may request, offer, agree to, withdraw and accept an extension (docs/decisions/0046-paying-back.md). */

/** An extension that was requested or offered, and neither accepted nor withdrawn. */
interface OpenExtension {
  readonly askedBy: number | null;
  readonly offeredBy: number | null;
  readonly agreedAt: Date | null;
}

/** An application and its extensions, as a person finds them. */
export interface ExtendableDebt<Open extends OpenExtension = OpenExtension> {
  readonly now: Date;
  /** The id of the person. */
  readonly me: number;
  readonly status: Status;
  /** Minor units; null before the payout. A written off amount is no longer outstanding. */
  readonly outstanding: number | null;
  /** How many extensions the client has accepted, and how many a client may accept. */
  readonly accepted: number;
  readonly maximum: number;
  readonly open: Open | undefined;
  /** For how many days an agreed offer is valid. */
  readonly validDays: number;
}

/** When the officer stops being new; undefined if they are not new. */
type Experience = Pick<CaseFacts, 'newUntil'>;
type Tenor = Parameters<typeof tenorIsOffered>[0];
type KeyFactsRead = Parameters<typeof hasReadKeyFacts>[0];
type DebtRule = Rule<ExtendableDebt & Experience>;

const isOwed: DebtRule = (debt) => (isExtendable(debt) ? undefined : { code: 'STEP_NOT_ALLOWED' });

function isExtendable({ status, outstanding }: ExtendableDebt): boolean {
  return stepAllowed('offerExtension', status) && (outstanding ?? 0) > 0;
}

const isOneLeft: DebtRule = ({ accepted, maximum }) => (accepted < maximum ? undefined : { code: 'EXTENSION_USED' });

const nothingIsOpen: DebtRule = ({ open }) => open && { code: 'EXTENSION_OPEN' };

/** An officer may answer a client's request with an offer. */
const nothingIsOffered: DebtRule = ({ open }) =>
  open === undefined || open.offeredBy === null ? undefined : { code: 'EXTENSION_OPEN' };

const somethingIsOpen: DebtRule = ({ open }) => (open === undefined ? { code: 'EXTENSION_CLOSED' } : undefined);

const awaitsAgreement: DebtRule = ({ open }) =>
  stageOf(open) === 'offered' ? undefined : { code: 'EXTENSION_CLOSED' };

const isAnotherOfficersOffer: DebtRule = ({ open, me }) =>
  open?.offeredBy === me ? { code: 'OWN_EXTENSION' } : undefined;

const isAgreedAndValid: DebtRule = (debt) =>
  stageOf(debt.open) === 'agreed' && !isOver(debt) ? undefined : { code: 'EXTENSION_CLOSED' };

/** An offer is valid for as many days as an approval, because later the officers might not agree any more. */
function isOver({ open, validDays, now }: ExtendableDebt): boolean {
  return open !== undefined && open.agreedAt !== null && hasLapsed(open.agreedAt, validDays, now);
}

function stageOf(open: OpenExtension | undefined): ExtensionReply['state'] {
  if (open === undefined) return 'none';
  if (open.agreedAt !== null) return 'agreed';
  return open.offeredBy === null ? 'asked' : 'offered';
}

const toAsk: readonly DebtRule[] = [isOwed, isOneLeft, nothingIsOpen];
const toOffer: readonly DebtRule[] = [isOwed, isExperienced, isOneLeft, nothingIsOffered];
const toAgree: readonly DebtRule[] = [isOwed, isExperienced, awaitsAgreement, isAnotherOfficersOffer];
const toWithdraw: readonly DebtRule[] = [allows('withdrawExtension'), somethingIsOpen];
const toAccept: readonly DebtRule[] = [isOwed, isAgreedAndValid];

/** Why the client may not request an extension with this tenor. */
export function refusalsToAskExtension(debt: ExtendableDebt & Tenor): Refusal[] {
  return refusalsBy([...toAsk, tenorIsOffered], { ...debt, newUntil: undefined });
}

/** Why the officer may not offer an extension with this tenor, whether or not the client requested one. */
export function refusalsToOfferExtension(debt: ExtendableDebt & Experience & Tenor): Refusal[] {
  return refusalsBy([...toOffer, tenorIsOffered], debt);
}

/** The offer to which the officer agrees as the second one, or why they may not. */
export function decideAgreement<Open extends OpenExtension>(
  debt: ExtendableDebt<Open> & Experience & KeyFactsRead,
): Outcome<Open> {
  return openUnless(refusalsBy([...toAgree, hasReadKeyFacts], debt), debt);
}

/** The request or offer that the officer ends, or why they may not. */
export function decideWithdrawal<Open extends OpenExtension>(debt: ExtendableDebt<Open>): Outcome<Open> {
  return openUnless(refusalsBy(toWithdraw, { ...debt, newUntil: undefined }), debt);
}

/** The offer that the client accepts, or why they may not. */
export function decideExtension<Open extends OpenExtension>(debt: ExtendableDebt<Open> & KeyFactsRead): Outcome<Open> {
  return openUnless(refusalsBy([...toAccept, hasReadKeyFacts], { ...debt, newUntil: undefined }), debt);
}

function openUnless<Open extends OpenExtension>(refusals: Refusal[], { open }: ExtendableDebt<Open>): Outcome<Open> {
  return open === undefined || refusals.length > 0 ? { refusals } : { refusals: [], decision: open };
}

/** Whether the client has been told of the open extension. */
export function isKnownToClient({ askedBy, agreedAt }: OpenExtension): boolean {
  return askedBy !== null || agreedAt !== null;
}

/** What the person is shown: the state, and the actions that the rules above allow them. */
type ShownExtension = Pick<ExtensionReply, 'state' | 'actions'>;

/** What an officer is shown. A new officer sees the actions too; the refusal says when they may act. */
export function shownToOfficer(debt: ExtendableDebt): ShownExtension {
  const actions = { offer: toOffer, agree: toAgree, withdraw: toWithdraw };
  return { state: isExtendable(debt) ? stageOf(debt.open) : 'none', actions: allowed(actions, debt) };
}

/** What the client is shown: nothing of an offer until the officers have agreed on it, nor once it has lapsed. */
export function shownToClient(debt: ExtendableDebt): ShownExtension {
  const { open } = debt;
  const isShown = isExtendable(debt) && open !== undefined && isKnownToClient(open) && !isOver(debt);
  const stage = stageOf(open) === 'offered' ? 'asked' : stageOf(open);
  return { state: isShown ? stage : 'none', actions: allowed({ ask: toAsk, accept: toAccept }, debt) };
}

function allowed<Action extends string>(
  actions: Readonly<Record<Action, readonly DebtRule[]>>,
  debt: ExtendableDebt,
): Action[] {
  return keysOf(actions).filter((action) => refusalsBy(actions[action], { ...debt, newUntil: undefined }).length === 0);
}
