/** Screens about the operator's terms of use. */
export { AcceptTermsField, useTermsToAccept } from './accept-terms-field.tsx'
