/**
 * Manages the operator's terms of use: versions, acceptances of members, and the mailed link. Owns `terms_of_use`,
 * `terms_of_use_acceptance` and `terms_of_use_mail`. `http/calls/read-call.ts` refuses money calls before the acceptance.
 */
export { mailTerms } from './mail-terms.ts'
export { publishTerms, scheduleTerms } from './publish-terms.ts'
export { followTerms, lastAcceptance, listTerms, termsAt } from './terms.queries.ts'
export { termsRoutes } from './terms.routes.ts'
