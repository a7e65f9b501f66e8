import * as v from 'valibot'
import { answerId, extra, idParams } from './fields.ts'
import { nothing, staffAct, staffRead } from './route.ts'

/** A background job started by a user: progress, estimated end and result. */
export const jobState = v.object({
  id: answerId,
  state: v.picklist(['WAITING', 'RUNNING', 'DONE', 'FAILED']),
  done: v.number(),
  /** Total amount of work; 0 while unknown. */
  total: v.number(),
  etaSeconds: extra(v.number()),
  /** Result; each kind has its own shape. */
  result: extra(v.unknown()),
  /** Path of the file, below the API's base. */
  fileHref: extra(v.string()),
  fileName: extra(v.string()),
  error: extra(v.string()),
})

export const jobStarted = v.object({ jobId: answerId })

export const staffJob = staffRead({
  name: 'staffJob',
  role: 'all',
  path: '/staff/jobs/:id',
  summary: "Returns the progress of the caller's background job. Readers of the audit log also see the jobs of others.",
  params: idParams,
  reply: jobState,
  errors: ['NOT_FOUND'],
})

export const staffJobFile = staffRead({
  name: 'staffJobFile',
  role: 'all',
  personal: 'page',
  path: '/staff/jobs/:id/file',
  summary: 'Returns the file of a completed background job.',
  params: idParams,
  bare: true,
  reply: v.unknown(),
  errors: ['NOT_FOUND'],
})

export const cancelStaffJob = staffAct({
  name: 'cancelStaffJob',
  role: 'all',
  path: '/staff/jobs/:id/cancel',
  summary: "Cancels the caller's running background job and deletes its file.",
  params: idParams,
  reply: nothing,
  errors: ['NOT_FOUND', 'ALREADY_DECIDED'],
})
