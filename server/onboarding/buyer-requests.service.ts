import type { z } from 'zod';
import type { PageBody } from '#contract/fields.ts';
import {
  type addBuyerBody,
  type BuyerRequestRow,
  type buyerRequestForm,
  OPEN_BUYER_REQUESTS,
  type OwnBuyerRequest,
  type refuseBuyerForm,
} from '#contract/onboarding/schema.ts';
import { DAY_MS } from '#contract/time/durations.ts';
import { makeBuyer, storeBusiness, takenAsFailure } from '#server/businesses/businesses.service.ts';
import { AppError, fieldError, orNotFound } from '#server/calls/app-error.ts';
import type { SignedInCaller } from '#server/calls/caller.ts';
import type { Changing } from '#server/changes/change.ts';
import { changeOnce, doOnce, recordEvent } from '#server/changes/change.ts';
import type { Change } from '#server/db/transaction.ts';
import { queueMessage } from '#server/messages/messages.service.ts';
import type { Platform } from '#server/platform/platform.ts';
import type { Context, Work } from '#server/platform/work.ts';
import {
  closeRequest,
  insertRequest,
  isOffered,
  lockAskingBusiness,
  lockRequest,
  selectOpenOfBusiness,
  selectOpenPage,
  selectRequestsOfBusiness,
} from './buyer-requests.queries.ts';
import { buyerAddedMessage, buyerRefusedMessage } from './onboarding.messages.ts';
import { presentOpenRequests, presentOwnRequests } from './onboarding.presenter.ts';

type AddBuyer = z.output<typeof addBuyerBody>;
type Request = NonNullable<Awaited<ReturnType<typeof lockRequest>>>;

/** How long an answer is shown beside its draft. */
const ANSWER_SHOWN_MS = 14 * DAY_MS;
const ANSWERS_SHOWN = 20;

/** The requests of the caller's business: open ones, and recent answers. */
export async function listOwnRequests({ platform, caller: { person, now } }: Context): Promise<OwnBuyerRequest[]> {
  if (person.businessId === null) return [];
  const since = new Date(now.getTime() - ANSWER_SHOWN_MS);
  return presentOwnRequests(await selectRequestsOfBusiness(platform.db, person.businessId, since, ANSWERS_SHOWN));
}

/**
 * Requests a buyer that is not offered, once per Idempotency-Key and per name. Throws BUYER_IS_SELLER for the caller's
 * own business, BUYER_OFFERED if the select has it, and BUYER_REQUESTS_OPEN if {@link OPEN_BUYER_REQUESTS} are open.
 */
export function requestBuyer(context: Context, form: z.output<typeof buyerRequestForm>) {
  const work = async (work: Work): Promise<{ tag: string }> => {
    const { change } = work;
    const name = form.name.replaceAll(/\s+/g, ' ');
    const { id: personId, businessId } = context.caller.person;
    if (businessId === null) throw new AppError('NOT_FOUND');
    const asking = await lockAskingBusiness(change, businessId);
    const isCalled = (other: { readonly name: string }) => other.name.toLowerCase() === name.toLowerCase();
    const open = await selectOpenOfBusiness(change, businessId);
    const same = open.find(isCalled);
    if (same !== undefined) return { tag: same.tag };
    if (isCalled(asking)) throw fieldError('BUYER_IS_SELLER', 'name');
    if (await isOffered(change, name)) throw fieldError('BUYER_OFFERED', 'name');
    if (open.length >= OPEN_BUYER_REQUESTS) throw new AppError('BUYER_REQUESTS_OPEN');
    const asked = { business_id: businessId, name, requested_at: context.caller.now, requested_by: personId };
    const { tag } = await insertRequest(change, asked);
    recordEvent(work, 'buyer.requested', ['business', asking.tag], { after: { request: tag, name } });
    return { tag };
  };
  return changeOnce(context, { name: 'requestBuyer', input: form }, work);
}

/** A page of requested buyers, oldest first. */
export async function listOpenRequests(platform: Platform, { page, size }: PageBody): Promise<BuyerRequestRow[]> {
  return presentOpenRequests(await selectOpenPage(platform.db, { size, offset: (page - 1) * size }));
}

/**
 * Answers a request with its buyer, new or existing, and tells the requester. Throws NOT_FOUND, REQUEST_CLOSED if
 * another officer was faster, BUYER_IS_SELLER, UNKNOWN_REFERENCE for an inactive business, and the refusals of adding a
 * business.
 */
export function addBuyer(context: Context, tag: string, body: AddBuyer) {
  const { platform, caller } = context;
  const work = async (work: Work) => {
    const { change } = work;
    const request = await requireOpen(change, tag);
    const buyer = await buyerOf(work, request, body);
    await closeRequest(change, request.id, { ...closedBy(caller), buyer_id: buyer.id });
    const { config } = platform;
    if (request.status === 'Active')
      await queueMessage(platform, change, buyerAddedMessage(config, request.username, buyer.name));
    recordEvent(work, 'buyer.added', ['business', request.business_tag], {
      after: { request: request.tag, name: request.name, buyer: buyer.tag },
    });
  };
  return takenAsFailure(() => doOnce(context, { name: 'addBuyer', input: [tag, body] }, work));
}

function buyerOf(work: Changing, request: Request, body: AddBuyer) {
  if (!('businessId' in body)) return storeBusiness(work, { ...body, isClient: false, isBuyer: true, active: true });
  if (body.businessId === request.business_id) throw fieldError('BUYER_IS_SELLER', 'businessId');
  return makeBuyer(work, body.businessId);
}

/** Refuses a request with a reason, and tells the requester. Throws NOT_FOUND and REQUEST_CLOSED. */
export function refuseBuyer(context: Context, tag: string, body: z.output<typeof refuseBuyerForm>) {
  const { platform, caller } = context;
  return doOnce(context, { name: 'refuseBuyer', input: [tag, body] }, async (work) => {
    const { change } = work;
    const request = await requireOpen(change, tag);
    const { username, name } = request;
    await closeRequest(change, request.id, { ...closedBy(caller), refusal: body.reason });
    if (request.status === 'Active')
      await queueMessage(platform, change, buyerRefusedMessage(platform.config, username, name, body.reason));
    recordEvent(work, 'buyer.refused', ['business', request.business_tag], {
      after: { request: request.tag, name, reason: body.reason },
    });
  });
}

/** An open request, locked until the transaction ends. */
async function requireOpen(change: Change, tag: string): Promise<Request> {
  const request = orNotFound(await lockRequest(change, tag));
  if (request.closed_at !== null) throw new AppError('REQUEST_CLOSED');
  return request;
}

function closedBy({ now, person }: SignedInCaller) {
  return { closed_at: now, closed_by: person.id };
}
