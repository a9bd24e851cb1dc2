import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Endpoint } from '#contract/endpoint.ts';
import { type EndpointName, endpoints } from '#contract/endpoints.ts';
import { TEST_PASSWORD, uniquePhone } from '#server/testing/builders.ts';
import type { caseBuilders } from '#server/testing/case-builders.ts';
import { canaryFound, proved } from '#server/testing/evidence/record.ts';
import { applicationForm, businessForm, noFlag, payment } from '#server/testing/matrix/matrix-bodies.ts';
import type { MatrixRequest, Rows, Sample } from '#server/testing/matrix/matrix-rows.ts';
import { runMatrix } from '#server/testing/matrix/matrix-run.ts';
import { samplePdf } from '#server/testing/sample-files.ts';
import { createTestApp, type TestApp } from '#server/testing/test-app.ts';
import { describeFile } from '#server/testing/uploads-in-parts.ts';

/**
 * Every route, in every reading, by every kind of caller, on a row of their own, somebody else's and none
 * (docs/decisions/0041-left-open.md). What is expected is written out here, not derived from the contract's
 * permissions; an endpoint that is missing does not compile.
 */

const unknownHandle = 'x'.repeat(43);
const byInvoice = async (rows: Rows): Promise<MatrixRequest> => ({ params: { tag: (await rows.invoice()).tag } });
const byDocument = async (rows: Rows): Promise<MatrixRequest> => ({
  params: { tag: (await rows.invoice()).documentTag },
});
const byUpload = async (rows: Rows): Promise<MatrixRequest> => ({ params: { tag: await rows.upload() } });
/** Own and absent as written; for a foreign row staff succeed and clients find nothing. */
const byCase =
  (status: keyof typeof caseBuilders, body?: unknown) =>
  async (rows: Rows): Promise<MatrixRequest> => ({
    params: { tag: await rows.case(status) },
    ...(body === undefined ? {} : { body }),
  });
const byTag = (tag: (rows: Rows) => Promise<string>) => async (rows: Rows) => ({ params: { tag: await tag(rows) } });
const visible = { own: 200, foreign: { client: 404, otherClient: 404, other: 200 }, absent: 404 } as const;
const owned = { own: 200, foreign: 404, absent: 404 } as const;
/** Whatever business it is of, for staff. */
const anybodys = { own: 200, foreign: 200, absent: 404 } as const;
/** Whoever has no permission here waits for activation. */
const whileWaiting = { noPermission: 200, other: 409 } as const;
const rowless = { own: 200, foreign: 200, absent: 200 } as const;

const samples: Record<EndpointName, Sample> = {
  login: {
    who: 'public',
    request: async () => ({ body: { username: uniquePhone(), password: 'wrong' } }),
    own: 401,
    foreign: 401,
    absent: 401,
  },
  logout: { who: 'public', ...rowless },
  session: { who: 'session', ...rowless },
  finishLogin: {
    who: 'public',
    request: async () => ({ body: { handle: unknownHandle, code: '123456' } }),
    own: 422,
    foreign: 422,
    absent: 422,
  },
  secondFactor: { who: 'staff', ...rowless },
  beginSecondFactor: { who: 'staff', request: async () => ({ body: { password: TEST_PASSWORD } }), ...rowless },
  confirmSecondFactor: {
    who: 'staff',
    request: async () => ({ body: { code: '123456' } }),
    own: 422,
    foreign: 422,
    absent: 422,
  },
  listSessions: { who: 'session', ...rowless },
  endSession: {
    who: 'session',
    request: async (rows) => ({ params: { tag: await rows.session() }, body: { password: TEST_PASSWORD } }),
    ...owned,
  },
  endOtherSessions: { who: 'session', request: async () => ({ body: { password: TEST_PASSWORD } }), ...rowless },
  changePassword: {
    who: 'session',
    request: async () => ({ body: { password: 'not the password', newPassword: 'Matrix-pass-9' } }),
    own: 422,
    foreign: 422,
    absent: 422,
  },
  register: {
    who: 'public',
    request: async () => ({
      body: { phone: uniquePhone(), password: 'Matrix-pass-9', gender: 'female', industryId: 1, districtId: 1 },
    }),
    ...rowless,
  },
  verifyUsername: {
    who: 'public',
    request: async () => ({ body: { userTag: unknownHandle, pin: '12345' } }),
    own: 422,
    foreign: 422,
    absent: 422,
  },
  resendPin: {
    who: 'public',
    request: async () => ({ body: { userTag: unknownHandle } }),
    own: 422,
    foreign: 422,
    absent: 422,
  },
  requestReset: { who: 'public', request: async () => ({ body: { username: uniquePhone() } }), ...rowless },
  verifyReset: {
    who: 'public',
    request: async () => ({ body: { userTag: unknownHandle, pin: '12345' } }),
    own: 422,
    foreign: 422,
    absent: 422,
  },
  doReset: {
    who: 'public',
    request: async () => ({ body: { otpTag: unknownHandle, newPassword: 'Matrix-pass-9' } }),
    own: 422,
    foreign: 422,
    absent: 422,
  },
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
    // KSTAF may not update staff, themselves included; nobody moves themselves to another business.
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
  progress: { who: 'clientOrStaff', request: byInvoice, ...visible },
  withdrawApplication: { who: 'client', request: byCase('Submitted'), ...owned },
  answerRequest: { who: 'client', request: byCase('Info Requested', { answer: 'Here it is.' }), ...owned },
  deskQueue: { who: 'staff', ...rowless },
  deskCounts: { who: 'staff', ...rowless },
  deskFigures: { who: 'staff', ...rowless },
  deskOfficers: { who: 'staff', ...rowless },
  loadCase: { who: 'staff', request: byCase('Submitted'), ...anybodys },
  evidence: { who: 'staff', request: byCase('Approved'), ...anybodys },
  // Those that the builders make are taken by the officer who asks.
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
  // Nobody has approved it yet, so there is nothing to send back.
  sendBack: {
    who: 'staff',
    request: byCase('In Review', { note: 'Look again.' }),
    own: 409,
    foreign: 409,
    absent: 404,
  },
  decline: {
    who: 'staff',
    request: byCase('In Review', { reason: 'other', note: 'It is not for us.' }),
    ...anybodys,
  },
  listPayments: { who: 'clientOrStaff', request: byCase('Disbursed'), ...visible },
  recordDisbursement: { who: 'staff', request: byCase('Approved', payment), ...anybodys },
  recordReceipt: { who: 'staff', request: byCase('Disbursed', { ...payment, payer: 'buyer' }), ...anybodys },
  // Nothing is owed to this client.
  // Whoever recorded the receipt, who is the officer who asks, leaves the extra to another.
  recordSurplus: { who: 'staff', request: byCase('Settled', payment), own: 409, foreign: 409, absent: 404 },
  reverseEntry: {
    who: 'staff',
    request: async (rows) => ({ params: { tag: await rows.entry() }, body: { reason: 'A mistake' } }),
    ...anybodys,
  },
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
      form: { fields: { invoiceTag: (await rows.invoice()).tag, typeId: '4' }, file: samplePdf() },
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
  sectors: { who: 'public', ...rowless },
  districts: { who: 'public', ...rowless },
  currencies: { who: 'session', ...rowless },
  financingPeriods: { who: 'session', ...rowless },
  interestRates: { who: 'session', ...rowless },
  documentTypes: { who: 'session', ...rowless },
  feeModes: { who: 'session', ...rowless },
  reportCsp: { who: 'public', request: async () => ({ body: [] }), ...rowless },
};

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

it('finds a route that forgot whose rows its caller may see', async () => {
  const broken = await createTestApp();
  onTestFinished(() => broken.close());
  // As if the route's handler took every caller for staff.
  broken.server.addHook('preHandler', async (request) => {
    if (request.person !== null) request.person = { ...request.person, perms: [...request.person.perms, 'KSTAF'] };
  });
  const { found, expected } = await runMatrix(broken, samples.loadInvoice, endpoints.loadInvoice);
  const successes = found.filter((answer, index) => answer !== expected[index]);
  expect(successes).toEqual(['client foreign 200', 'otherClient foreign 200']);
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

it('was run on every route', () => {
  const ways = Object.values<Endpoint>(endpoints).flatMap(({ aliases = [] }) => [undefined, ...aliases]);
  expect(counted.routes).toBe(ways.length);
  proved(
    'matrix',
    `${counted.routes} routes, ${counted.cases} calls, ${counted.refused} refused: 0 unexpected successes`,
  );
});
