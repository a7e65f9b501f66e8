import { type NoticeText, noticeText } from '@tizara/contract/notice-text'
import { inbox, type InboxRow, lockedNotices, optionalNotices, readAllNotices, readNotice } from '@tizara/contract/notices'
import { unreadNotices } from '@tizara/contract/notices-unread'
import { t } from '@tizara/languages'
import { type MouseEvent, useState } from 'react'
import { Link, useSearch } from 'wouter'
import { navigate } from 'wouter/use-browser-location'
import { call } from '../lib/http/api.ts'
import { formatClock, formatDate, formatTime, formatUtc } from '../lib/format.ts'
import { refetch, retryOf } from '../lib/http/query.ts'
import { ReceiptDrawer } from '../lib/receipts/receipt-drawer.tsx'
import type { ReceiptRef } from '../lib/receipts/receipt-link.ts'
import { useCursorPages } from '../lib/lists/use-cursor-pages.ts'
import { useAppConfig } from '../settings/index.ts'
import { Button } from '../ui/button.tsx'
import { cx } from '../ui/cx.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { Field } from '../ui/field.tsx'
import { shortAddress } from '../ui/address.tsx'
import { decimalsFor, formatAmount } from '../ui/money-format.ts'
import { PageHeader } from '../ui/page-header.tsx'
import { Select } from '../ui/select.tsx'
import { SkeletonText } from '../ui/skeleton.tsx'
import { toast } from '../ui/toast-store.ts'
import { noticeNames } from './notice-names.ts'
import { noticeTarget } from './notice-target.ts'
import { rejectionText } from './addresses/rejection-text.ts'
import { T } from '../ui/t.tsx'

const kinds = [...optionalNotices, ...lockedNotices]

/** `/inbox`: everything that mails report, newest first. */
export default function InboxScreen() {
  const params = new URLSearchParams(useSearch())
  const kind = kinds.find((one) => one === params.get('kind'))
  const filter = kind === undefined ? {} : { kind }
  const read = useCursorPages(
    inbox.name,
    filter,
    async (cursor, signal) => (await call(inbox, { query: { ...filter, ...cursor }, signal })).data,
  )
  const { data, isPlaceholderData, more } = read
  const [opened, setOpened] = useState<ReceiptRef>()
  const loading = data === undefined && read.error === null
  async function readAll(): Promise<void> {
    const through = data?.through
    if (through !== undefined) await mark(() => call(readAllNotices, { body: { through } }))
  }
  return (
    <>
      <PageHeader title={t('Inbox')} subtitle={t('Notifications of the last 90 days. Press one to see what it is about.')} />
      <div className="mb-4 flex items-end justify-between gap-3">
        <Field label={t('Kind')} className="min-w-0 flex-1 sm:max-w-64">
          <Select
            value={kind ?? ''}
            onChange={({ target }) => navigate(target.value === '' ? '/inbox' : `/inbox?kind=${target.value}`, { replace: true })}
            options={[{ value: '', label: t('All kinds') }, ...kinds.map((value) => ({ value, label: noticeNames[value] }))]}
          />
        </Field>
        {kind === undefined && (
          <Button aria-disabled={data?.through === undefined} onClick={readAll}>
            {t('Mark all as read')}
          </Button>
        )}
      </div>
      <section aria-label={t('Notifications')} aria-busy={loading} className="min-w-0 rounded-xl border bg-surface">
        {loading ? (
          <div className="p-4">
            <SkeletonText lines={8} />
          </div>
        ) : (
          <Days rows={data?.rows ?? []} onReceipt={setOpened} />
        )}
        {!loading && (data === undefined || data.rows.length === 0) && (
          <EmptyState
            title={data === undefined ? t('Data Not Found') : t('No notifications yet')}
            text={data && emptyText(kind !== undefined, data.next !== undefined)}
            onRetry={retryOf(read)}
          />
        )}
        {data?.next !== undefined && (
          <div className="flex justify-center border-t p-3">
            <Button pending={isPlaceholderData} onClick={more}>
              {t('Show older notifications')}
            </Button>
          </div>
        )}
      </section>
      {!loading && (
        <p className="mt-3 text-sm text-muted">
          <T
            text="You choose what comes by mail and what comes here in your <link>profile</link>."
            link={(content) => (
              <Link href="/profile" className="link">
                {content}
              </Link>
            )}
          />
        </p>
      )}
      <ReceiptDrawer open={opened !== undefined} onClose={() => setOpened(undefined)} subject={t('Notification')} receipt={opened} />
    </>
  )
}

function emptyText(isFiltered: boolean, hasMore: boolean): string {
  if (hasMore) return t('None of this kind among the newest notifications. Older ones may match.')
  if (isFiltered) return t('None of this kind in the last 90 days. Choose another kind to see more.')
  return t('Deposits, rewards, withdrawals, answers from support and security events appear here.')
}

async function mark(send: () => Promise<unknown>): Promise<void> {
  try {
    await send()
  } catch (error) {
    toast(rejectionText(error), { tone: 'danger' })
  }
  await refetch(inbox, unreadNotices)
}

interface RowProps {
  onReceipt: (receipt: ReceiptRef) => void
}

/** Lists the notifications by local day. */
function Days({ rows, onReceipt }: RowProps & { rows: readonly InboxRow[] }) {
  const days = Map.groupBy(rows, (row) => formatDate(row.createdAt))
  return [...days].map(([day, ofDay]) => (
    <div key={day} className="group">
      <h2 className="border-b bg-raised px-4 py-2 text-xs font-semi text-faint group-first:rounded-t-xl">{day}</h2>
      <ul>
        {ofDay.map((row) => (
          <li key={row.id} className="border-b last:border-0">
            <Notification row={row} onReceipt={onReceipt} />
          </li>
        ))}
      </ul>
    </div>
  ))
}

/** Shortens the chain address of a payout. The receipt that the row opens has all of it. */
const shortened = (row: InboxRow): InboxRow =>
  row.event === 'payout' && row.facts.outflow !== 'transfer'
    ? { ...row, facts: { ...row.facts, address: shortAddress(row.facts.address) } }
    : row

function useTexts(row: InboxRow): NoticeText {
  const { tokenSymbol } = useAppConfig()
  const { title, text } = noticeText(shortened(row), {
    amount:
      'amount' in row ? `${formatAmount(row.amount, decimalsFor(row.amount, 'short'))} ${row.asset === 'usd' ? 'USD' : tokenSymbol}` : '',
    at: formatTime(row.createdAt),
    time: (iso) => formatTime(new Date(iso)),
    t,
  })
  return { title: title.charAt(0).toUpperCase() + title.slice(1), text }
}

const ROW = 'flex w-full items-start gap-3 px-4 py-3 text-start transition-colors hover:bg-raised'

/** Opens its receipt or page, and marks itself as read. */
function Notification({ row, onReceipt }: RowProps & { row: InboxRow }) {
  const { title, text } = useTexts(row)
  const target = noticeTarget(row)
  const open = (event: MouseEvent): void => {
    if (!row.read) void mark(() => call(readNotice, { params: { id: row.id } }))
    if ('receipt' in target) {
      event.preventDefault()
      onReceipt(target.receipt)
    }
  }
  const content = (
    <>
      <span aria-hidden="true" className={cx('mt-2 size-2 shrink-0 rounded-full', row.read ? 'border border-line-strong' : 'bg-accent')} />
      <span className="min-w-0 flex-1">
        <span className={cx('block', !row.read && 'font-semi')}>
          {!row.read && <span className="sr-only">{t('Unread:')} </span>}
          {title}
        </span>
        <span className="block text-sm wrap-anywhere whitespace-pre-line text-muted">{text}</span>
      </span>
      <time dateTime={row.createdAt.toISOString()} title={formatUtc(row.createdAt)} className="shrink-0 text-sm text-faint">
        {formatClock(row.createdAt)}
      </time>
    </>
  )
  return 'receipt' in target ? (
    <button type="button" className={ROW} onClick={open}>
      {content}
    </button>
  ) : (
    <Link href={target.href} className={ROW} onClick={open}>
      {content}
    </Link>
  )
}
