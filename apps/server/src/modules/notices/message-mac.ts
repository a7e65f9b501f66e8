import { type AuditResult, auditRows } from '../../ledger/index.ts'
import type { Db, Tx } from '../../platform/db/database.ts'
import type { EncryptedColumn } from '../../platform/crypto/encrypted-column.ts'
import type { DataKeys } from '../../platform/crypto/encrypt.ts'
import { canonicalJson, isMacOf, macOf } from '../../platform/crypto/row-mac.ts'
import type { Deps } from '../../platform/runtime/deps.ts'

/** MACs over messages from staff, the only notifications with a free text. */
export const messageMacs: EncryptedColumn = { table: 'notice', key: 'id', column: 'message_mac', purpose: 'messages to members' }

interface Message {
  memberId: bigint
  /** Id of the job and the member. */
  cause: string
  facts: unknown
}

const macFields = ({ memberId, cause, facts }: Message) => [memberId, cause, canonicalJson(facts)]

/** Returns true for any notification but a message, and for a message that the application wrote to this member. */
export const isGenuineNotice = (keys: DataKeys, { event, mac, ...message }: Message & { event: string; mac: Buffer | null }): boolean =>
  event !== 'message' || (mac !== null && isMacOf(keys, messageMacs.purpose, mac, macFields(message)))

/** Records a message from staff to members, with MACs. The caller's job is bound to the approved proposal (`jobMac`). */
export async function recordMessages(
  tx: Tx,
  { clock, config }: Pick<Deps, 'clock' | 'config'>,
  messages: readonly (Message & { facts: { title: string; text: string } })[],
): Promise<void> {
  if (messages.length === 0) return
  const rows = messages.map((message) => ({
    member_id: message.memberId,
    event: 'message',
    cause: message.cause,
    facts: JSON.stringify(message.facts),
    message_mac: macOf(config, messageMacs.purpose, macFields(message)),
    created_at: clock.now(),
  }))
  await tx.insertInto('notification_event').values(rows).execute()
}

/**
 * Deletes the messages that wait in a restored database: members may have got them after the backup.
 * @returns the number of messages
 */
export async function deletePendingMessages(tx: Tx): Promise<number> {
  const recorded = await tx.deleteFrom('notification_event').where('event', '=', 'message').executeTakeFirst()
  const mails = await tx
    .updateTable('notice')
    .set({ awaits_mail: false })
    .where('event', '=', 'message')
    .where('awaits_mail', '=', true)
    .executeTakeFirst()
  return Number(recorded.numDeletedRows + mails.numUpdatedRows)
}

const BATCH = 1000

/** Verifies the MACs of stored messages for `ledger:audit`. A query cannot, because the database has no key. */
export const auditMessages = (db: Db, keys: DataKeys): Promise<AuditResult> =>
  auditRows({ invariant: 'I17', title: 'each message to a member was written by the application' }, async (after) => {
    const rows = await db
      .selectFrom('notice')
      .select(['id', 'member_id', 'event', 'cause', 'facts', 'message_mac'])
      .where('event', '=', 'message')
      .where('id', '>', after)
      .orderBy('id')
      .limit(BATCH)
      .execute()
    return rows.map(({ id, member_id: memberId, message_mac: mac, ...message }) => ({
      id,
      name: `notice ${id}`,
      isValid: isGenuineNotice(keys, { ...message, memberId, mac }),
    }))
  })
