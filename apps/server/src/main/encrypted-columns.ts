import { transferMacs } from '../gateways/chain/index.ts'
import type { Job } from '../jobs/job.ts'
import { jobMacs } from '../jobs/job-mac.ts'
import { depositDecisionMacs, depositFirstMacs } from '../modules/deposits/index.ts'
import { importMacs } from '../modules/import/index.ts'
import { messageMacs } from '../modules/notices/index.ts'
import { proposalMacs } from '../modules/staff/index.ts'
import { webhookSecrets } from '../modules/webhooks/index.ts'
import { addressMacs, approvalMacs, firstApprovalMacs, payoutRuleMacs, requestMacs } from '../modules/withdrawals/index.ts'
import { reEncryptNext } from '../platform/crypto/encrypted-column.ts'
import { checkpointMacs } from '../modules/reconciliation/checkpoint.ts'
import { REQUIRED_COLUMNS } from '../diagnostics/data-key.ts'

/** Columns with first approvals, other than payouts. */
const FIRST_APPROVALS = [depositFirstMacs, depositDecisionMacs, proposalMacs]
export const ENCRYPTED_COLUMNS = [
  ...REQUIRED_COLUMNS,
  requestMacs,
  addressMacs,
  firstApprovalMacs,
  approvalMacs,
  ...FIRST_APPROVALS,
  transferMacs,
  checkpointMacs,
  payoutRuleMacs,
  importMacs,
  jobMacs,
  messageMacs,
  ...webhookSecrets,
]

/** Encrypts values of the previous DATA_KEY again with the current one. */
export const reEncryptJob: Job = {
  name: 're-encrypt',
  everySeconds: 30,
  run: async (lease, deps) => {
    let reencrypted = 0
    for (const column of ENCRYPTED_COLUMNS) {
      let last = -1n
      reencrypted += await lease.untilDone(async (tx) => {
        const batch = await reEncryptNext(tx, deps.config, column, last)
        last = batch.last
        return batch
      })
    }
    return reencrypted
  },
}
