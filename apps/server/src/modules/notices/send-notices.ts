import { type RawBuilder, sql } from 'kysely'
import { noticeText } from '@tizara/contract/notice-text'
import type { OptionalNotice } from '@tizara/contract/notices'
import { enqueueMails, hasDueMails, mailLanguage, type MailLanguage, shownInMail } from '../../gateways/mailer/index.ts'
import type { Batch, Lease } from '../../jobs/lease.ts'
import type { Job } from '../../jobs/job.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { Deps } from '../../platform/runtime/deps.ts'
import { membersById } from '../members/index.ts'
import { contentOf, type NoticeColumns } from './inbox.queries.ts'
import { isGenuineNotice } from './message-mac.ts'
import { nameSenders } from './name-senders.ts'
import { ingest } from './record-events.ts'
import { noticeToken } from './notice-token.ts'

/** Minimum time in ms between two mails to one member. Events within this time share a mail. */
const PAUSE_MS = 10 * 60_000
/** Maximum number of sentences per mail. The mail only counts further events. */
const LINES = 10
/** Members in one transaction. */
const BATCH = 100
/** Due mails at which messages from staff wait. A message can go to every member, and other notifications would otherwise wait for hours. */
const MAX_DUE_MAILS = 300

interface NoticeDigest {
  memberId: bigint
  events: OptionalNotice[]
  /** The first ones, oldest first. */
  first: (Omit<NoticeColumns, 'amount'> & { amount: string | null; at: string; cause: string; mac: string | null })[]
  total: number
}

/** Mails members with other notifications than messages. Such a mail includes the member's messages. */
const sendEvents = (tx: Tx, deps: Deps): Promise<Batch> => sendBatch(tx, deps, sql`n.awaits_mail and n.event <> 'message'`)

/** Mails members with messages, while few mails are due. */
const sendMessages = async (tx: Tx, deps: Deps): Promise<Batch> =>
  (await hasDueMails(tx, deps.clock.now(), MAX_DUE_MAILS)) ? { done: 0, more: false } : sendBatch(tx, deps, sql`n.awaits_mail`)

/** @param due SQL: condition on a notification `n` whose member gets a mail */
async function sendBatch(tx: Tx, deps: Deps, due: RawBuilder<unknown>): Promise<Batch> {
  const now = deps.clock.now()
  const found = await sql<NoticeDigest>`
    with due as (
      select distinct n.member_id from notice n where ${due} and not exists (
        select from notice r where r.member_id = n.member_id and r.mailed_at > ${new Date(now.getTime() - PAUSE_MS)}) limit ${BATCH}),
    gone as (update notice n set mailed_at = ${now}, awaits_mail = false from due where n.member_id = due.member_id and n.awaits_mail
      returning n.id, n.member_id, n.event, n.cause, n.amount, n.asset, n.facts, n.message_mac, n.created_at)
    select member_id as "memberId", array_agg(distinct event) as events, count(*)::int as total,
      to_jsonb((array_agg(jsonb_build_object('event', event, 'amount', amount::text, 'asset', asset, 'facts', facts, 'at', created_at,
        'cause', cause, 'mac', encode(message_mac, 'hex'))
        order by created_at, id))[1:${sql.lit(LINES)}]) as first
    from gone group by member_id order by member_id`.execute(tx)
  const named = await nameSenders(
    tx,
    found.rows.flatMap(({ first }) => first),
  )
  const people = await membersById(
    tx,
    found.rows.map((row) => row.memberId),
  )
  const shown = new Map(found.rows.flatMap(({ first }) => first).map((one, index) => [one, named[index] ?? one]))
  const mails = found.rows.flatMap(({ memberId, events, first, total }) => {
    const member = people.get(memberId)
    if (member === undefined) return []
    const { language } = member
    const words = mailLanguage(deps.config, language)
    const { t } = words
    const genuine = first.filter((one) => isGenuine(one, memberId, deps))
    if (genuine.length === 0) return []
    const rest = total - first.length
    const lines = [
      ...genuine.flatMap((one) => linesOf(shown.get(one) ?? one, deps, words)),
      ...(rest > 0 ? [t('And {rest} more like these.', { rest: String(rest) })] : []),
    ]
    const title = titleOf(events, total, words)
    const token = noticeToken(deps, { id: member.public_id, events })
    return [
      {
        to: member.email,
        language,
        template: 'moneyIn' as const,
        bulk: true,
        data: { name: member.name, title, lines, token, answered: events.includes('support-answer') },
      },
    ]
  })
  await enqueueMails(tx, deps, mails)
  return { done: found.rows.length, more: found.rows.length === BATCH }
}

/** Returns false for a message that SQL inserted or changed, and logs it. */
function isGenuine({ event, cause, facts, mac }: NoticeDigest['first'][number], memberId: bigint, { config, log }: Deps): boolean {
  const genuine = isGenuineNotice(config, { event, memberId, cause, facts, mac: mac === null ? null : Buffer.from(mac, 'hex') })
  if (!genuine) log.error({ member: String(memberId), cause }, 'a message was modified outside the application and is not sent')
  return genuine
}

/** Returns the sentence of an event. A message has more lines, and its title in front. */
function linesOf({ amount, at, ...columns }: NoticeDigest['first'][number], { config }: Deps, words: MailLanguage): string[] {
  const units = amount === null ? null : BigInt(amount)
  const content = contentOf({ ...columns, amount: units })
  const amountText = units === null ? '' : words.amount(units, columns.asset === 'usd' ? 'USD' : config.tokenSymbol)
  const { title, text } = noticeText(content, shownInMail(words, new Date(at), amountText))
  return content.event === 'message' ? [`${title}:`, ...text.split(/\s*\n\s*/)] : [text]
}

/** Returns the subject of a mail: for one kind of event, for incoming money, or for several kinds. */
function titleOf(events: readonly OptionalNotice[], total: number, { t }: MailLanguage): string {
  const kinds = new Set(
    events.map((event) => (event === 'support-answer' || event === 'message' || event === 'sell-request' ? event : 'money')),
  )
  const [kind] = kinds
  const count = String(total)
  if (kind === undefined || kinds.size > 1) return t('{count} events in your account', { count })
  switch (kind) {
    case 'support-answer':
      return total === 1 ? t('support answered') : t('support answered {count} times', { count })
    case 'message':
      return total === 1 ? t('a message for you') : t('a message for you {count} times', { count })
    case 'sell-request':
      return total === 1 ? t('your sell request changed') : t('your sell request changed {count} times', { count })
    case 'money':
      return total === 1 ? t('money came in') : t('money came in {count} times', { count })
  }
}

async function sendAll(lease: Lease, deps: Deps): Promise<number> {
  await lease.untilDone(ingest)
  const sent = await lease.untilDone((tx) => sendEvents(tx, deps))
  return sent + (await lease.untilDone((tx) => sendMessages(tx, deps)))
}

/** Sends notifications as mails: at once, or gathered in one mail. */
export const noticeJobs: Job[] = [{ name: 'send-notices', everySeconds: 10, run: sendAll }]

export const noticeRetention = [{ table: 'notice', moment: 'created_at', days: 90 }] as const
