import { randomUUID } from 'node:crypto';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Endpoint } from '#contract/endpoint.ts';
import { type EndpointName, endpoints } from '#contract/endpoints.ts';
import { TEST_PASSWORD } from '#testing/builders.ts';
import { MORE_TIME, OFFER } from '#testing/case-builders.ts';
import { canaryFound, proved } from '#testing/evidence/record.ts';
import { accountSamples } from '#testing/matrix/account-samples.ts';
import {
  anybodys,
  outOfTurn,
  owned,
  rowless,
  unusable,
  visible,
  whileWaiting,
} from '#testing/matrix/matrix-answers.ts';
import {
  applicationForm,
  businessForm,
  noFlag,
  payment,
  payoutAccountForm,
  releasedPayout,
  seenPayout,
} from '#testing/matrix/matrix-bodies.ts';
import { byCase, byDocument, byInvoice, byTag, byUpload } from '#testing/matrix/matrix-requests.ts';
import type { Sample } from '#testing/matrix/matrix-rows.ts';
import { runMatrix } from '#testing/matrix/matrix-run.ts';
import { payingBackSamples } from '#testing/matrix/paying-back-samples.ts';
import { proposalSamples } from '#testing/matrix/proposal-samples.ts';
import { statementSamples } from '#testing/matrix/statement-samples.ts';
import { transferSamples } from '#testing/matrix/transfer-samples.ts';
import { samplePdf } from '#testing/sample-files.ts';
import { appOfFile, createTestApp } from '#testing/test-app.ts';
import { uploadFields } from '#testing/uploads.ts';
import { describeFile } from '#testing/uploads-in-parts.ts';

/**
 * Every route, in every spelling, called by every kind of caller on a row of their own, on somebody else's, and on none
 * (docs/decisions/0041-left-open.md). The expected results are written out here, not derived from the contract's
 * permissions; if an endpoint is missing, this file does not compile.
 */

const unknownHandle = 'x'.repeat(43);
const samples: Record<EndpointName, Sample> = {
  ...accountSamples,
  listPersons: { who: 'staff', ...rowless },
  updatePerson: {
    who: 'staff',
    request: async (rows) => ({
      body: {
        firstName: 'Amina',
        lastName: 'Kato',
        businessId: await rows.clientBusinessId(),
        tag: await rows.person(),
      },
    }),
    // KSTAF may not update staff, including themselves; nobody may move themselves to another business.
    own: 403,
    foreign: 200,
    absent: 404,
  },
  deactivatePerson: {
    who: 'staff',
    request: async (rows) => ({ body: { tag: await rows.person() } }),
    own: 403,
    foreign: 200,
    absent: 404,
  },
  setRoles: {
    who: 'admin',
    request: async (rows) => ({ body: { tag: await rows.person(), perms: ['KSTAF'] } }),
    own: 403,
    foreign: 200,
    absent: 404,
  },
  resetSecondFactor: {
    who: 'admin',
    request: async (rows) => ({ body: { tag: await rows.person() } }),
    own: 403,
    foreign: 409,
    absent: 404,
  },
  ownProfile: { who: 'session', ...rowless },
  businessPersons: {
    who: 'staff',
    request: async (rows) => ({ query: `?tag=${await rows.business()}` }),
    own: 200,
    foreign: 200,
    absent: 404,
  },
  listBusinesses: { who: 'staff', ...rowless },
  loadBusiness: { who: 'staff', request: byTag((rows) => rows.business()), ...anybodys },
  addBusiness: { who: 'staff', request: async () => ({ body: businessForm() }), ...rowless },
  editBusiness: {
    who: 'staff',
    request: async (rows) => ({ params: { tag: await rows.business() }, body: businessForm() }),
    own: 200,
    foreign: 200,
    absent: 404,
  },
  activation: { who: 'session', ...rowless },
  stateDetails: {
    who: 'session',
    request: async () => ({ body: { firstName: 'Amina', lastName: 'Kato', businessName: 'Kato Traders' } }),
    own: whileWaiting,
    foreign: whileWaiting,
    absent: whileWaiting,
  },
  stateWallet: {
    who: 'session',
    request: async () => ({ body: { holderName: 'Amina Kato', password: TEST_PASSWORD } }),
    own: whileWaiting,
    foreign: whileWaiting,
    absent: whileWaiting,
  },
  onboardingCounts: { who: 'staff', ...rowless },
  ownBuyerRequests: { who: 'client', ...rowless },
  requestBuyer: { who: 'client', request: async () => ({ body: { name: 'Kampala City Traders' } }), ...rowless },
  listBuyerRequests: { who: 'staff', ...rowless },
  addBuyer: {
    who: 'staff',
    request: async (rows) => ({
      params: { tag: await rows.buyerRequest() },
      body: { businessId: await rows.buyerId() },
    }),
    ...anybodys,
  },
  refuseBuyer: {
    who: 'staff',
    request: async (rows) => ({
      params: { tag: await rows.buyerRequest() },
      body: { reason: 'We do not know this buyer' },
    }),
    ...anybodys,
  },
  allProfiles: { who: 'staff', ...rowless },
  clientProfiles: { who: 'staff', ...rowless },
  buyerProfiles: { who: 'session', ...rowless },
  buyerTerms: { who: 'session', ...rowless },
  listInvoices: { who: 'clientOrStaff', ...rowless },
  loadInvoice: { who: 'clientOrStaff', request: byInvoice, ...visible },
  saveInvoice: {
    who: 'client',
    request: async (rows) => ({
      body: {
        invoice: {
          invoiceNumber: randomUUID(),
          date: '2026-11-20',
          currencyId: 1,
          buyerId: await rows.buyerId(),
          amount: 5000,
          tag: (await rows.invoice()).tag,
        },
      },
    }),
    ...owned,
  },
  deleteInvoice: { who: 'client', request: byInvoice, ...owned },
  createGuid: { who: 'session', ...rowless },
  checkSubmission: { who: 'clientOrStaff', request: byInvoice, ...visible },
  validateApplication: {
    who: 'client',
    request: async (rows) => ({ body: applicationForm((await rows.invoice()).tag) }),
    ...owned,
  },
  submitApplication: { who: 'client', request: byInvoice, ...owned },
  keyFacts: { who: 'clientOrStaff', request: byInvoice, ...visible },
  keyFactsLetter: { who: 'clientOrStaff', request: byCase('Submitted'), ...visible },
  offerLetter: { who: 'clientOrStaff', request: byCase('Approved'), ...visible },
  attention: { who: 'client', ...rowless },
  requirements: { who: 'client', ...rowless },
  progress: { who: 'clientOrStaff', request: byInvoice, ...visible },
  withdrawApplication: { who: 'client', request: byCase('Submitted'), ...owned },
  answerRequest: { who: 'client', request: byCase('Info Requested', { answer: 'Here it is.' }), ...owned },
  deskQueue: { who: 'staff', ...rowless },
  deskCounts: { who: 'staff', ...rowless },
  deskFigures: { who: 'staff', ...rowless },
  deskOfficers: { who: 'staff', ...rowless },
  loadCase: { who: 'staff', request: byCase('Submitted'), ...anybodys },
  evidence: { who: 'staff', request: byCase('Approved'), ...anybodys },
  // The officer who calls is the assignee of the prepared cases.
  takeCase: { who: 'staff', request: byCase('Submitted'), ...anybodys },
  releaseCase: { who: 'staff', request: byCase('In Review'), ...anybodys },
  handOverCase: {
    who: 'staff',
    request: async (rows) => ({
      params: { tag: await rows.case('In Review') },
      body: { officerTag: await rows.officer() },
    }),
    ...anybodys,
  },
  startReview: { who: 'staff', request: byCase('Submitted'), ...anybodys },
  requestInformation: {
    who: 'staff',
    request: byCase('In Review', { question: 'What is it?', typeIds: [1] }),
    ...anybodys,
  },
  recallRequest: { who: 'staff', request: byCase('Info Requested'), ...anybodys },
  acknowledgeFlags: { who: 'staff', request: byCase('In Review', noFlag), own: 422, foreign: 422, absent: 404 },
  approve: { who: 'staff', request: byCase('In Review'), ...anybodys },
  // The case has no first approval, so there is nothing to send back.
  sendBack: {
    who: 'staff',
    request: byCase('In Review', { note: 'Look again.' }),
    ...outOfTurn,
  },
  decline: {
    who: 'staff',
    request: byCase('In Review', { reason: 'other', note: 'It is not for us.' }),
    ...anybodys,
  },
  counterOffer: { who: 'staff', request: byCase('In Review', OFFER), ...anybodys },
  recallOffer: { who: 'staff', request: byCase('Counter-offered'), ...anybodys },
  loadOffer: { who: 'clientOrStaff', request: byCase('Counter-offered'), ...visible },
  // The client read other key facts.
  acceptOffer: {
    who: 'client',
    request: byCase('Counter-offered', { keyFactsVersion: 'none' }),
    own: 409,
    foreign: 404,
    absent: 404,
  },
  loadExtension: { who: 'clientOrStaff', request: byCase('Disbursed'), ...visible },
  askExtension: { who: 'client', request: byCase('Disbursed', MORE_TIME), ...owned },
  // No extension has been offered, so there is nothing to accept, agree to or withdraw.
  acceptExtension: {
    who: 'client',
    request: byCase('Disbursed', { keyFactsVersion: 'none' }),
    own: 409,
    foreign: 404,
    absent: 404,
  },
  offerExtension: { who: 'staff', request: byCase('Disbursed', MORE_TIME), ...anybodys },
  agreeExtension: {
    who: 'staff',
    request: byCase('Disbursed', { keyFactsVersion: 'none' }),
    own: 409,
    foreign: 409,
    absent: 404,
  },
  withdrawExtension: { who: 'staff', request: byCase('Disbursed'), own: 409, foreign: 409, absent: 404 },
  declineOffer: { who: 'client', request: byCase('Counter-offered'), ...owned },
  cancelApproval: { who: 'staff', request: byCase('Approved', { reason: 'It was a mistake.' }), ...anybodys },
  listPayments: { who: 'clientOrStaff', request: byCase('Disbursed'), ...visible },
  recordReceipt: {
    who: 'staff',
    request: byCase('Disbursed', { ...payment, payer: 'buyer', referenceConfirmed: true }),
    ...anybodys,
  },
  recordDeduction: {
    who: 'staff',
    request: byCase('Disbursed', {
      deduction: 'creditNote',
      certificate: 'CN-1',
      date: '2026-11-19',
      amount: 1,
    }),
    own: 422,
    foreign: 422,
    absent: 404,
  },
  applicationJournal: { who: 'staff', request: byCase('Disbursed'), ...anybodys },
  accountJournal: {
    who: 'staff',
    request: async () => ({ params: { account: 'cashBank' }, query: '?currency=UGX' }),
    ...rowless,
  },
  trialBalance: { who: 'admin', ...rowless },
  ...statementSamples,
  ...payingBackSamples,
  ...proposalSamples,
  ownPayoutAccounts: { who: 'client', ...rowless },
  addPayoutAccount: { who: 'client', request: async () => ({ body: payoutAccountForm() }), ...rowless },
  freezePayoutAccount: { who: 'clientOrStaff', request: byTag((rows) => rows.payoutAccount()), ...visible },
  freezeByLink: { who: 'public', request: async () => ({ body: { token: unknownHandle } }), ...unusable },
  businessPayoutAccounts: { who: 'staff', request: byTag((rows) => rows.business()), ...anybodys },
  askHolder: { who: 'staff', request: byTag((rows) => rows.payoutAccount('unverified')), ...anybodys },
  verifyPayoutAccount: { who: 'staff', request: byTag((rows) => rows.payoutAccount('unverified')), ...anybodys },
  choosePayoutAccount: {
    who: 'client',
    request: async (rows) => ({
      params: { tag: (await rows.invoice()).tag },
      body: { accountTag: await rows.payoutAccount() },
    }),
    ...owned,
  },
  applicationPayout: { who: 'clientOrStaff', request: byInvoice, ...visible },
  payoutBoard: { who: 'staff', ...rowless },
  // The officer saw another amount.
  preparePayout: { who: 'staff', request: byCase('Approved', seenPayout), ...outOfTurn },
  releasePayout: {
    who: 'staff',
    request: byCase('Approved', { ...seenPayout, ...releasedPayout, password: TEST_PASSWORD }),
    ...outOfTurn,
  },
  cancelPayout: {
    who: 'staff',
    request: byCase('Approved', { payoutTag: releasedPayout.payoutTag, reason: 'A mistake' }),
    ...outOfTurn,
  },
  ...transferSamples,
  ownLimits: { who: 'client', ...rowless },
  businessLimits: { who: 'staff', request: byTag((rows) => rows.business()), ...anybodys },
  setLimit: {
    who: 'staff',
    request: async (rows) => ({
      params: { tag: await rows.business() },
      body: { currencyId: 1, limit: 60_000_000, reason: 'It has grown' },
    }),
    ...anybodys,
  },
  earnedRaises: { who: 'staff', ...rowless },
  limitProposals: { who: 'staff', ...rowless },
  confirmLimit: { who: 'staff', request: byTag((rows) => rows.limitProposal()), ...anybodys },
  declineLimit: { who: 'staff', request: byTag((rows) => rows.limitProposal()), ...anybodys },
  listDocuments: { who: 'clientOrStaff', request: byInvoice, ...visible },
  checkDocuments: { who: 'clientOrStaff', request: byInvoice, ...visible },
  uploadDocument: {
    who: 'client',
    request: async (rows) => ({
      form: { fields: uploadFields({ invoiceTag: (await rows.invoice()).tag, typeId: 4 }), file: samplePdf() },
    }),
    ...owned,
  },
  beginUpload: {
    who: 'client',
    request: async (rows) => ({
      body: { invoiceTag: (await rows.invoice()).tag, typeId: 4, ...describeFile(samplePdf()) },
    }),
    ...owned,
  },
  uploadPart: {
    who: 'client',
    request: async (rows) => ({ params: { tag: await rows.upload(), part: '0' }, bytes: samplePdf() }),
    ...owned,
  },
  finishUpload: { who: 'client', request: byUpload, own: 409, foreign: 404, absent: 404 },
  cancelUpload: { who: 'client', request: byUpload, ...owned },
  viewDocument: { who: 'clientOrStaff', request: byDocument, ...visible },
  deleteDocument: { who: 'client', request: byDocument, ...owned },
  ownFigures: { who: 'client', ...rowless },
  allFigures: { who: 'staff', ...rowless },
  bookFigures: { who: 'staff', ...rowless },
  incomeFigures: { who: 'staff', ...rowless },
  sectors: { who: 'public', ...rowless },
  districts: { who: 'public', ...rowless },
  currencies: { who: 'session', ...rowless },
  financingPeriods: { who: 'session', ...rowless },
  interestRates: { who: 'session', ...rowless },
  documentTypes: { who: 'session', ...rowless },
  feeModes: { who: 'session', ...rowless },
  taxRates: { who: 'session', ...rowless },
  reportCsp: { who: 'public', request: async () => ({ body: [] }), ...rowless },
};

const app = appOfFile();

it('the matrix finds a route that forgot whose rows its caller may see', async () => {
  const broken = await createTestApp();
  onTestFinished(() => broken.close());
  // As if the route's handler treated every caller as staff.
  broken.server.addHook('preHandler', async (request) => {
    if (request.person !== null) request.person = { ...request.person, perms: [...request.person.perms, 'KSTAF'] };
  });
  const { found, expected } = await runMatrix(broken, samples.loadInvoice, endpoints.loadInvoice);
  const successes = found.filter((answer, index) => answer !== expected[index]);
  expect(successes).toEqual(['client foreign 200']);
  canaryFound('matrix', `a route that takes every caller for staff: ${successes.length} unexpected successes found`);
});

const counted = { routes: 0, cases: 0, refused: 0 };

describe.each(Object.entries<Endpoint>(endpoints))('%s', (name, endpoint) => {
  const sample: Sample = samples[name as EndpointName];
  const ways = [endpoint, ...(endpoint.aliases ?? [])].map(({ method, path }) => ({ method, path }));

  it.each(ways)('$method $path', async (way) => {
    const { found, expected } = await runMatrix(app, sample, way);
    expect(found).toEqual(expected);
    counted.routes += 1;
    counted.cases += found.length;
    counted.refused += found.filter((answer) => !answer.endsWith(' 200')).length;
  });
});

it('the matrix was run on every route', () => {
  const ways = Object.values<Endpoint>(endpoints).flatMap(({ aliases = [] }) => [undefined, ...aliases]);
  expect(counted.routes).toBe(ways.length);
  proved(
    'matrix',
    `${counted.routes} routes, ${counted.cases} calls, ${counted.refused} refused: 0 unexpected successes`,
  );
});
