import { z } from 'zod';
import { endpoint } from '#contract/endpoint.ts';
import { byTag, option, tag } from '#contract/fields.ts';
import { businessesBody, businessForm, businessRow, editBusinessForm, loadedBusiness, usualTerms } from './schema.ts';

const saved = z.strictObject({ success: z.literal(true), data: z.strictObject({ tag, id: z.int() }) });

/** Businesses, and the options of selects. */
export const businessEndpoints = {
  listBusinesses: endpoint({
    method: 'POST',
    path: '/businesses/paged',
    summary: 'A page of businesses, searched by name',
    body: businessesBody,
    reply: z.array(businessRow),
    needs: 'businesses.list',
    changes: false,
  }),
  loadBusiness: endpoint({
    method: 'GET',
    path: '/businesses/:tag',
    summary: 'A business, and what is out on invoices to it',
    params: byTag,
    reply: loadedBusiness,
    needs: 'businesses.list',
  }),
  addBusiness: endpoint({
    method: 'POST',
    path: '/businesses',
    summary: 'Add a business',
    body: businessForm,
    reply: saved,
    needs: 'businesses.edit',
  }),
  editBusiness: endpoint({
    method: 'PUT',
    path: '/businesses/:tag',
    summary: 'Edit a business',
    params: byTag,
    body: editBusinessForm,
    reply: saved,
    needs: 'businesses.edit',
  }),
  allProfiles: endpoint({
    method: 'GET',
    path: '/profiles/all',
    summary: 'Every active business',
    reply: z.array(option),
    needs: 'profiles.all',
  }),
  clientProfiles: endpoint({
    method: 'GET',
    path: '/profiles/ida_clients',
    summary: 'Every active business that is a client',
    reply: z.array(option),
    needs: 'profiles.all',
  }),
  buyerProfiles: endpoint({
    method: 'GET',
    path: '/profiles/buyers',
    summary: 'Every active business that is a buyer',
    reply: z.array(option),
    needs: 'session',
  }),
  // Not in the specification, which fixes the shape of the call above.
  buyerTerms: endpoint({
    method: 'GET',
    path: '/profiles/buyers/terms',
    summary: 'After how many days buyers usually pay, where it is known',
    reply: z.array(usualTerms),
    needs: 'session',
  }),
} as const;
