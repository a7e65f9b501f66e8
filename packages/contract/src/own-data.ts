import * as v from 'valibot'
import { PROOF_ERRORS } from './contact-details.ts'
import { proofEntries } from './proof.ts'
import { memberAct } from './route.ts'
import { jobStarted } from './staff-jobs.ts'

export const startOwnData = memberAct({
  name: 'startOwnData',
  path: '/profile/data',
  limited: true,
  summary:
    'Writes everything that the product stores about the member to a ZIP file with JSON and CSV files, in a background job. Needs a proof. A member can run one job at a time, and three within 24 hours. `/jobs/:id` has the progress and the file.',
  body: v.strictObject(proofEntries),
  reply: jobStarted,
  errors: ['TOO_MANY_REQUESTS', ...PROOF_ERRORS],
})
