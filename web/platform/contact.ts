import { type Contact, referenceEndpoints } from '#contract/reference/endpoints.ts';
import { callApi } from '#web/platform/api.ts';

/** How people reach whoever runs this server. */
export function loadContact(signal?: AbortSignal): Promise<Contact> {
  return callApi(referenceEndpoints.contact, undefined, signal === undefined ? {} : { signal });
}
