import type { Selectable } from 'kysely'
import type { EncryptedColumn } from '../platform/crypto/encrypted-column.ts'
import type { DataKeys } from '../platform/crypto/encrypt.ts'
import { canonicalJson, isMacOf, macOf } from '../platform/crypto/row-mac.ts'
import type { BackgroundJobTable } from '../platform/db/tables.generated.ts'

/** MACs over background jobs. A job acts in the name of the person who started it, for example with a message to members. */
export const jobMacs: EncryptedColumn = { table: 'background_job', key: 'id', column: 'input_mac', purpose: 'background jobs' }

type JobMacFields = Pick<Selectable<BackgroundJobTable>, 'public_id' | 'kind' | 'owner_id' | 'created_at'> & { input: unknown }

const macFields = ({ public_id: id, kind, owner_id: owner, created_at: at, input }: JobMacFields) => [
  id,
  kind,
  owner,
  at.toISOString(),
  canonicalJson(input),
]

/** Computes the MAC over a job, the person who started it and its input. */
export const jobMac = (keys: DataKeys, job: JobMacFields): Buffer => macOf(keys, jobMacs.purpose, macFields(job))

/** Returns true if the application started this job with this input. */
export const isGenuineJob = (keys: DataKeys, job: JobMacFields & { input_mac: Buffer }): boolean =>
  isMacOf(keys, jobMacs.purpose, job.input_mac, macFields(job))
