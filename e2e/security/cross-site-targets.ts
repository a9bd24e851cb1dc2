import { createHash } from 'node:crypto';
import type { Page } from '@playwright/test';
import { newReadyDraft, newSubmission } from '#e2e/support/arrange.ts';
import { get, post } from '#e2e/support/calls.ts';
import type { OpenApi, Schema } from '#proof/fuzz/openapi-operations.ts';
import type { Target } from './cross-site-attacks.ts';

/**
 * Every call that the server offers, filled with the victim's rows, so that a successful attack would have an effect.
 */

/** Rows that the victim may change. */
export interface VictimsRows {
  readonly draft: string;
  readonly submitted: string;
  readonly document: string;
  /** An upload in parts that still lacks {@link PART}. */
  readonly upload: string;
  readonly person: string;
  readonly business: string;
  readonly buyerId: number;
}

const BYTES = 'application/octet-stream';
/**
 * The whole content of the file that the victim is about to upload. It is sent to endpoints that take bytes, which have
 * no schema.
 */
const PART = 'forged bytes';

/** Creates a draft that could be submitted, an upload to it and a submission, all of the logged-in client. */
export async function arrangeRows(client: Page, person: string, business: string): Promise<VictimsRows> {
  const draft = await newReadyDraft(client);
  const submitted = await newSubmission(client);
  const documents = await get<{ documentTag?: string }[]>(client, `invoices/documents/${draft.tag}`);
  const document = documents.find(({ documentTag }) => documentTag !== undefined)?.documentTag ?? '';
  const buyers = await get<{ id: number }[]>(client, 'profiles/buyers');
  const upload = await beginUpload(client, draft.tag);
  return {
    draft: draft.tag,
    submitted: submitted.tag,
    document,
    upload,
    person,
    business,
    buyerId: buyers[0]?.id ?? 0,
  };
}

async function beginUpload(client: Page, invoiceTag: string): Promise<string> {
  const sha256 = createHash('sha256').update(PART).digest('hex');
  const upload = { invoiceTag, typeId: 1, fileName: 'statement.pdf', size: PART.length, sha256 };
  const { data } = await post<{ data: { tag: string } }>(client, 'files/uploads', upload);
  return data.tag;
}

/** The calls, with paths as in the server's metrics. */
export async function readTargets(
  page: Page,
  rows: VictimsRows,
): Promise<readonly (Target & { readonly route: string })[]> {
  const document = await get<OpenApi>(page, 'openapi.json');
  return Object.entries(document.paths).flatMap(([path, ways]) =>
    Object.entries(ways).map(([method, described]) => {
      const asked = (described.parameters ?? []).filter((parameter) => parameter.in === 'query');
      const query = asked.map(({ name, schema }) => `${name}=${String(example(schema, name, path, rows))}`).join('&');
      const [[type, { schema }] = ['', {}]] = Object.entries(described.requestBody?.content ?? {});
      const filled = schema === undefined ? {} : example(schema, '', path, rows);
      const body = typeof filled === 'object' && filled !== null ? { ...filled } : {};
      return {
        name: described.operationId,
        method: method.toUpperCase(),
        path: path.replace('{part}', '0').replaceAll(/\{\w+\}/g, () => tagFor(path, rows)),
        query: query === '' ? '' : `?${query}`,
        body,
        ...(type === BYTES ? { type, sent: PART } : { type: 'application/json', sent: JSON.stringify(body) }),
        route: path.replaceAll(/\{(\w+)\}/g, ':$1'),
      };
    }),
  );
}

function tagFor(path: string, rows: VictimsRows): string {
  if (/\/files\/uploads\//.test(path)) return rows.upload;
  if (/\/files\//.test(path) && !path.includes('validate')) return rows.document;
  if (/\/(businesses|limits)\//.test(path)) return rows.business;
  if (/\/(desk|payments)\//.test(path)) return rows.submitted;
  return rows.draft;
}

const values: Readonly<Record<string, unknown>> = {
  username: '0700000001',
  password: 'Kasente-demo-1',
  newPassword: 'Changed-by-force-9',
  invoiceNumber: 'FORGED-1',
  name: 'Forged Ltd',
  firstName: 'Forged',
  lastName: 'Forged',
  phone: '0778000001',
  email: 'forged@kasente.test',
  amount: 1_000_000,
  amountAppliedFor: 900_000,
  feesCharged: 99_000,
  amountReceived: 801_000,
  financingPeriodId: 3,
  isClient: true,
  perms: ['KADMIN'],
};

/** A value that the schema allows, using the victim's rows where it names one. */
function example(schema: Schema, name: string, path: string, rows: VictimsRows): unknown {
  if (name === 'buyerId') return rows.buyerId;
  if (name in values) return values[name];
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  if (schema.anyOf !== undefined) {
    const best = schema.anyOf.find(({ format, type }) => format === 'uuid' || type === 'number' || type === 'integer');
    return example(best ?? schema.anyOf.at(-1) ?? {}, name, path, rows);
  }
  if (schema.type === 'object') {
    // Optional fields would only give a reason to refuse. If all are optional, one is set so that the call has a body.
    const keys =
      schema.required ??
      Object.keys(schema.properties ?? {})
        .slice(0, 2)
        .filter((key) => key === 'invoice');
    const wanted = Object.entries(schema.properties ?? {}).filter(([key]) => keys.includes(key));
    return Object.fromEntries(wanted.map(([key, inner]) => [key, example(inner, key, path, rows)]));
  }
  if (schema.type === 'array') return [example(schema.items ?? {}, '', path, rows)];
  if (schema.type === 'boolean') return true;
  if (schema.type === 'number' || schema.type === 'integer') return Math.max(1, schema.minimum ?? 1);
  if (schema.format === 'uuid') return path.includes('/persons') ? rows.person : tagFor(path, rows);
  return schema.format === 'date' ? '2026-01-05' : '12345';
}
