export { type AddressLimits, createAddressLimits } from '#server/accounts/login/address-limits.ts';
export { webAddress } from './accounts.messages.ts';
