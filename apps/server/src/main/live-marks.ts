import type { Route } from '@tizara/contract'
import { popup } from '@tizara/contract/announcements'
import { profile } from '@tizara/contract/members'
import { generalSettings } from '@tizara/contract/settings'
import { getReceipt, homeCount, userWallet, walletHistory, walletHoldings } from '@tizara/contract/wallets'
import { inbox } from '@tizara/contract/notices'
import { unreadNotices } from '@tizara/contract/notices-unread'
import { movements } from '@tizara/contract/wallets-movements'
import { type RawBuilder, sql } from 'kysely'
import type { Marks } from '../http/live/live.ts'
import { walletsMark } from '../ledger/index.ts'
import { announcementMark } from '../modules/announcements/index.ts'
import { counterMarks } from '../modules/histories/index.ts'
import { inboxMark } from '../modules/notices/index.ts'
import { settingsMark } from '../modules/settings/index.ts'
import type { Db } from '../platform/db/database.ts'
import { histories } from './histories.ts'

/** A read and the values on which its response depends. */
interface Watch<Follows = RawBuilder<string>> {
  follows: Follows
  reads: readonly Route[]
}

/** Expressions in SQL over member `m`. */
const OWN: readonly Watch[] = [
  { follows: walletsMark, reads: [userWallet, walletHoldings, walletHistory, homeCount, movements] },
  { follows: sql`m.updated_at::text`, reads: [profile] },
  { follows: inboxMark, reads: [inbox, unreadNotices] },
  ...histories.flatMap(({ follows, lists, also = [] }) => (follows === undefined ? [] : [{ follows, reads: [...lists, ...also] }])),
]
const FOLLOWED = [...new Set(OWN.map((watch) => watch.follows))]
const SHARED_READS: readonly Watch<(at: Date) => RawBuilder<string>>[] = [
  { follows: announcementMark, reads: [popup] },
  { follows: settingsMark, reads: [generalSettings] },
]

/**
 * Reads the texts for the change stream: version of each member's wallets, counters of each list, the inbox, and the newest ticket message.
 * Reads a few rows per member by key.
 */
export async function liveMarks(db: Db, memberIds: readonly bigint[], at: Date): Promise<ReadonlyMap<bigint, Marks>> {
  const shared = await sql<{
    marks: string[]
  }>`select array[${sql.join(SHARED_READS.map((watch) => watch.follows(at)))}]::text[] as marks`.execute(db)
  const found = await sql<{ id: bigint; marks: (string | null)[]; tallies: Record<string, string> | null }>`
    select m.id, array[${sql.join(FOLLOWED)}]::text[] as marks, ${counterMarks} as tallies
    from member m where m.id = any(${memberIds}::bigint[])`.execute(db)
  return new Map(
    found.rows.map((row) => {
      const marks = new Map<string, string>()
      const put = (reads: readonly Route[], mark: string | null | undefined) => {
        for (const { name } of reads) marks.set(name, `${marks.get(name) ?? ''};${mark ?? ''}`)
      }
      for (const { follows, reads } of OWN) put(reads, row.marks[FOLLOWED.indexOf(follows)])
      SHARED_READS.forEach(({ reads }, index) => put(reads, shared.rows[0]?.marks[index]))
      for (const { kind, lists, also = [] } of histories) put([...lists, ...also, getReceipt], row.tallies?.[kind])
      return [row.id, marks]
    }),
  )
}
